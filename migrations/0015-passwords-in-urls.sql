-- The URL of a compute resource is shown to everybody who sees the record, and nothing here ever used a password in it: it is
-- masked, also in audits, whose values are the URL itself or a list of the old and the new one.
update compute_resources
  set url = regexp_replace(url, '^(\s*(?:[A-Za-z][A-Za-z0-9+.-]*:)?[\\/]*[^\\/?#:@]*):[^\\/?#]*@', '\1:*****@')
  where url ~ '^\s*(?:[A-Za-z][A-Za-z0-9+.-]*:)?[\\/]*[^\\/?#:@]*:[^\\/?#]*@';

update audits
  set audited_changes = jsonb_set(audited_changes, '{url}', case jsonb_typeof(audited_changes -> 'url')
    when 'string' then to_jsonb(regexp_replace(audited_changes ->> 'url',
      '^(\s*(?:[A-Za-z][A-Za-z0-9+.-]*:)?[\\/]*[^\\/?#:@]*):[^\\/?#]*@', '\1:*****@'))
    else (
      select jsonb_agg(case jsonb_typeof(one.value)
        when 'string' then to_jsonb(regexp_replace(one.value #>> '{}',
          '^(\s*(?:[A-Za-z][A-Za-z0-9+.-]*:)?[\\/]*[^\\/?#:@]*):[^\\/?#]*@', '\1:*****@'))
        else one.value end order by one.place)
      from jsonb_array_elements(audited_changes -> 'url') with ordinality one (value, place)) end)
  where auditable_type = 'ComputeResource' and jsonb_typeof(audited_changes -> 'url') in ('string', 'array');
