"""Writers of documents and figures: terminal, HTML, PDF, CSV, JSON, charts. They know no page and no study."""
