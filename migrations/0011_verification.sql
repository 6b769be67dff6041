-- What the identity provider finds out about people and companies, and its calls as they came.

alter table verifications
  -- When the status was decided, wherever that was: an older decision that comes later changes nothing.
  add column decided_at    timestamptz,
  -- As the documents say it.
  add column verified_name text;

-- Whoever decides without saying when decides now.
create function stamp_verification_decision() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.status <> 'PENDING' and new.decided_at is null then new.decided_at := now(); end if;
  elsif new.decided_at is not distinct from old.decided_at and new.status <> old.status then
    new.decided_at := now();
  end if;
  return new;
end $$;
create trigger verifications_decided before insert or update of status on verifications
  for each row execute function stamp_verification_decision();

-- A person's applicant that is moved to the company level stands in two rows, and users are found by
-- their own id, never by their applicant's.
drop index verifications_applicant;

-- Genuine calls of the identity provider, stored before anything is done about them.
create table identity_events (
  -- SHA-256 of the body, the same for every delivery of one call.
  digest       text primary key check (digest ~ '^[0-9a-f]{64}$'),
  event        jsonb not null,
  received_at  timestamptz not null default now(),
  processed_at timestamptz,
  outcome      text check (outcome in ('changed', 'unchanged', 'superseded', 'unknown_user')),
  constraint identity_events_outcome check ((processed_at is null) = (outcome is null))
);
create index identity_events_done on identity_events (processed_at) where processed_at is not null;
