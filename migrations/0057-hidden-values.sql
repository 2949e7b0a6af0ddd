-- The values of hidden parameters, encrypted (docs/decisions/0063-hidden-values.md): where `sealed` has one, the column of JSON is
-- null. A version before this one sees such a value as missing; where it writes the value itself, the text beside it is void.
alter table parameters add column sealed text collate "C";
alter table smart_class_parameters add column sealed text collate "C";
alter table override_values add column sealed text collate "C";
