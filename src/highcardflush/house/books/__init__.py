"""The books: streams of events, the transfers between accounts that go with them, and sealed parts."""
