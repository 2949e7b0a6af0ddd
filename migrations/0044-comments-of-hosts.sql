-- A host without a comment has a blank one. The column keeps taking null: processes of the version before may write it.
update hosts set comment = '' where comment is null;
alter table hosts alter comment set default '';
