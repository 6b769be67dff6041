-- Authority is looked at when a thing is done (docs/decisions/0067, 0068, 0069, 0073).

-- Log-ins of the operator's admins open more once their holder has a second factor: caches hear of that too.
drop trigger users_changed on users;
create trigger users_changed after delete or update of role, user_status, client_id, twofa_enabled on users
  for each row execute function tell_identity_changed('user', 'user_id');

-- What somebody has ordered or proposed is found when they are stopped, and all orders in pages.
create index pending_changes_by_proposer on pending_changes (proposed_by, change_id) where proposed_by is not null;
create index pending_changes_ordered on pending_changes (change_id) where takes_effect_at is not null;

-- Whether an admin may still have done what waits for this user: active, an admin, of the operator or of the user's
-- own client, and of a client that is let in.
create function may_change_user(proposer integer, of_user integer, is_order boolean) returns boolean
language sql stable as $$
  select exists (select from users p join clients c using (client_id)
    where p.user_id = proposer and p.role = 'admin' and p.user_status = 'ACTIVE' and client_is_open(c.client_status)
      and (p.client_id = 1
        or not is_order and p.client_id = (select u.client_id from users u where u.user_id = of_user)))
$$;

-- Whose endpoint it is: it is paused when they are stopped. Unknown of endpoints that are older than this.
alter table webhooks.endpoints add column made_by integer references users on delete set null;
create index endpoints_by_maker on webhooks.endpoints (made_by, endpoint_id) where made_by is not null;

-- Who may be the second person. The rule is kept with the proposal, so that a setting changed later changes
-- nothing that waits: the account is no younger than `second_since`, and the first person has done nothing to it since.
alter table adjustments
  add column second_since timestamptz not null default service_now() - interval '7 days',
  add column second_factor boolean not null default false,
  -- About how much it moves, in US cents, for the ceiling of a day; 0 of points.
  add column worth numeric(38, 0) not null default 0 check (worth >= 0);

-- What the corrections of a day (UTC) have moved together, in about US cents: a row is changed only within the ceiling.
create table adjustment_days (
  day   date primary key,
  worth numeric(38, 0) not null check (worth >= 0)
);

alter table adjustments drop constraint adjustments_status_check;
alter table adjustments add constraint adjustments_status_check
  check (status in ('PROPOSED', 'BOOKED', 'REJECTED', 'WITHDRAWN', 'EXPIRED', 'VOIDED'));
alter table adjustments drop constraint adjustments_two_people;
alter table adjustments add constraint adjustments_two_people check (
  case status
    when 'PROPOSED' then decided_by is null and decided_at is null
    when 'EXPIRED' then decided_by is null and decided_at is not null
    when 'VOIDED' then decided_by is distinct from proposed_by and decided_at is not null
    when 'WITHDRAWN' then (decided_by = proposed_by) is true and decided_at is not null
    else (decided_by <> proposed_by) is true and decided_at is not null
  end);
create index adjustments_by_proposer on adjustments (proposed_by) where status = 'PROPOSED';

-- Whether two accounts of the operator's admins are two people, as far as that can be seen: the one rule for all that two
-- have to want. Acts of the audit log count that give an account something; to stop somebody gives nothing.
create function is_second_person(first integer, second integer, since timestamptz, with_factor boolean)
returns boolean language sql stable as $$
  select first <> second
    and exists (select from users u join clients c using (client_id)
      where u.user_id = second and u.client_id = 1 and u.role = 'admin' and u.user_status = 'ACTIVE'
        and client_is_open(c.client_status) and u.created <= since and (u.twofa_enabled or not with_factor))
    and not exists (select from activity_log l
      where l.subject_user_id = second and l.at > since
        and (l.actor_user_id = first or l.details ->> 'proposed_by' = first::text)
        and l.action !~ '^(ADJUSTMENT|WALLET)_'
        and l.action not in ('USER_STOPPED', 'CHANGE_WITHDRAWN', 'CHANGE_VOIDED', 'CHANGE_FAILED', 'CHANGE_REFUSED'))
$$;

create or replace function check_adjustment() returns trigger language plpgsql as $$
declare
  people integer;
begin
  if tg_op = 'INSERT' then
    if new.status <> 'PROPOSED' or new.second_since > new.created_at then
      raise exception 'an adjustment begins as a proposal'
        using errcode = 'check_violation', constraint = 'adjustments_begin';
    end if;
    return new;
  end if;
  if old.status <> 'PROPOSED'
    or (to_jsonb(old) - '{status,decided_by,decided_at,decision_note}'::text[])
      <> (to_jsonb(new) - '{status,decided_by,decided_at,decision_note}'::text[])
  then
    raise exception 'adjustment % stays as it is', old.adjustment_id
      using errcode = 'check_violation', constraint = 'adjustments_stay';
  end if;
  if new.status not in ('EXPIRED', 'VOIDED') and new.expires_at <= service_now() then
    raise exception 'adjustment % is not decided in time', new.adjustment_id
      using errcode = 'check_violation', constraint = 'adjustments_in_time';
  end if;
  if new.status = 'BOOKED' then
    -- Held, so that a change of either comes before or after.
    perform from users u join clients c using (client_id)
      where u.user_id in (new.proposed_by, new.decided_by) and u.client_id = 1 and u.role = 'admin'
        and u.user_status = 'ACTIVE' and client_is_open(c.client_status)
      for share of u;
    get diagnostics people = row_count;
    if people <> 2
      or not is_second_person(new.proposed_by, new.decided_by, new.second_since, new.second_factor)
    then
      raise exception 'adjustment % is not wanted by two admins of the operator', new.adjustment_id
        using errcode = 'check_violation', constraint = 'adjustments_two_admins';
    end if;
  end if;
  return new;
end $$;
