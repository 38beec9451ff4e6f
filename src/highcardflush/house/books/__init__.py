"""The books: streams of events, the transfers between accounts that the events make, and their sealed parts."""
