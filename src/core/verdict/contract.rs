//! The `pub` items of a subject: what checks call, read from its text.
