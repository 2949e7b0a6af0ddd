-- The ids that a record had in each of its links when it was taken: a link that goes with its record is no change by a person.
alter table imported_records add column links jsonb not null default '{}';
