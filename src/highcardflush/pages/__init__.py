"""Pages: figures become blocks of a document. A file for each study, for each part of a sheet, and for cards."""
