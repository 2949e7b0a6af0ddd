-- jsonb sorts the keys of objects. A column beside it keeps the JSON as it was sent where that order would be lost, else null.
-- docs/decisions/0054-order-of-keys.md says why.
alter table parameters add column value_ordered text collate "C";
alter table smart_class_parameters add column default_value_ordered text collate "C";
alter table override_values add column value_ordered text collate "C";
alter table compute_attributes add column vm_attrs_ordered text collate "C";
alter table audits add column audited_changes_ordered text collate "C";

-- The JSON in its order. Who writes the value alone, as the version before does, makes the text beside it void.
create function in_order(value jsonb, ordered text) returns json
  language sql immutable parallel safe
  return case when ordered::jsonb::text = value::text then ordered::json else value::json end;
