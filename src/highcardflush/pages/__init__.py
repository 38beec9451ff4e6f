"""Pages: figures become blocks of a document. One file for each study, sheet or card."""
