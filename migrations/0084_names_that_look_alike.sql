-- An instance's name is unique in its client by what people see of it: `Prod`, ` prod` and `Prod` with a sign that
-- cannot be seen are one name. The service folds it (src/kernel/names.ts), since databases differ in what is a small
-- letter.
alter table instances add column folded_name text;

-- What is here already keeps its name. Of those that look alike the first has the folded one, and the others one
-- that no name folds to.
do $$
declare
  folded text := $f$
    btrim(regexp_replace(lower(regexp_replace(normalize(instance_name, NFKC),
      '[\u0001-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]',
      '', 'g') %s), '\s+', ' ', 'g'))$f$;
begin
  folded := format(folded, case when exists (
    select from pg_collation where collname = 'und-x-icu') then 'collate "und-x-icu"' else '' end);
  execute format($f$
    with names as (
      select instance_id, client_id, %1$s as name,
             row_number() over (partition by client_id, %1$s order by instance_id) as place
      from instances)
    update instances i set folded_name = case when n.place = 1 then n.name
      else n.name || E'\n' || i.instance_id end
    from names n where n.instance_id = i.instance_id$f$, folded);
end $$;

-- The default is for processes of the version before, which go on while this one starts: they fold nothing.
alter table instances
  alter column folded_name set not null,
  alter column folded_name set default gen_random_uuid()::text,
  drop constraint instances_name_per_client,
  add constraint instances_name_per_client unique (client_id, folded_name);
