-- jsonb sorts the keys of objects. A row beside the record keeps the JSON as it was sent where that order would be lost.
-- docs/decisions/0054-order-of-keys.md says why these are tables, and no columns.
create table parameters_order (
  id      bigint primary key constraint parameters_order_id_fkey references parameters on delete cascade,
  ordered text collate "C" not null
);
create table smart_class_parameters_order (
  id      bigint primary key constraint smart_class_parameters_order_id_fkey references smart_class_parameters on delete cascade,
  ordered text collate "C" not null
);
create table override_values_order (
  id      bigint primary key constraint override_values_order_id_fkey references override_values on delete cascade,
  ordered text collate "C" not null
);
create table compute_attributes_order (
  id      bigint primary key constraint compute_attributes_order_id_fkey references compute_attributes on delete cascade,
  ordered text collate "C" not null
);
create table audits_order (
  id      bigint primary key constraint audits_order_id_fkey references audits on delete cascade,
  ordered text collate "C" not null
);

-- The JSON in its order. Who writes the value alone, as the version before does, makes the text beside it void.
create function in_order(value jsonb, ordered text) returns json
  language sql immutable parallel safe
  return case when ordered::jsonb::text = value::text then ordered::json else value::json end;
