-- A conversion is taken back by a conversion the other way, once, by a quote that was made for it (docs/design/fx.md).
alter table quotes add column reverses uuid references currency_conversions (conversion_id);
alter table currency_conversions
  add column reverses uuid unique references currency_conversions (conversion_id),
  add check (reverses <> conversion_id);

create or replace function check_quote() returns trigger language plpgsql as $$
begin
  if old.status <> 'OPEN' and (new.status, new.used_by) is distinct from (old.status, old.used_by)
    or new.is_promised and not old.is_promised
  then
    raise exception 'quote % does not go back', old.quote_id
      using errcode = 'check_violation', constraint = 'quotes_onward';
  end if;
  if (old.user_id, old.client_id, old.kind, old.fixed_side, old.from_currency, old.from_units, old.to_currency, old.to_units,
      old.expires_at, old.fees, old.reverses)
    is distinct from (new.user_id, new.client_id, new.kind, new.fixed_side, new.from_currency, new.from_units,
      new.to_currency, new.to_units, new.expires_at, new.fees, new.reverses)
  then
    raise exception 'quote % stays as it was promised', old.quote_id
      using errcode = 'check_violation', constraint = 'quotes_stay';
  end if;
  return new;
end $$;
