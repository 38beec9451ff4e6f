"""The books: streams of events, the events' sealed parts, and the transfers that the events make between accounts."""
