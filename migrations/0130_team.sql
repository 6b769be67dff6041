-- What an admin may do at their client: null of an admin is an owner, as all were before there were roles.
alter table users
  add column team_role text check (team_role in ('owner', 'developer', 'finance', 'support', 'viewer')),
  -- Since when they have it, where somebody gave it to them: their word counts for approvals a day later.
  add column team_since timestamptz,
  add constraint users_team_is_of_admins check (team_role is null or role = 'admin');
create index users_of_team on users (client_id, user_id) where role = 'admin';

-- Log-ins and keys of a person open what their role opens: caches hear of that too.
drop trigger users_changed on users;
create trigger users_changed
  after delete or update of role, user_status, client_id, twofa_enabled, team_role on users
  for each row execute function tell_identity_changed('user', 'user_id');

-- Of a key whose maker has left the team: it does no more than that role, whoever holds it now.
alter table api_keys
  add column kept_role text check (kept_role in ('owner', 'developer', 'finance', 'support', 'viewer'));

-- A link to an address, by which its owner joins a team once.
create table team_invitations (
  invitation_id uuid primary key,
  serial        bigint generated always as identity unique,
  client_id     integer not null references clients,
  email         text not null check (length(email) between 3 and 254),
  team_role     text not null check (team_role in ('owner', 'developer', 'finance', 'support', 'viewer')),
  invited_by    integer not null references users,
  -- SHA-256 of the token in the link.
  token_digest  bytea not null unique check (length(token_digest) = 32),
  created_at    timestamptz not null default service_now(),
  expires_at    timestamptz not null,
  accepted_by   integer references users,
  accepted_at   timestamptz,
  revoked_at    timestamptz,
  check (expires_at > created_at),
  check ((accepted_by is null) = (accepted_at is null)),
  check (accepted_at is null or revoked_at is null)
);
create unique index team_invitations_open on team_invitations (client_id, lower(email))
  where accepted_at is null and revoked_at is null;
create index team_invitations_by on team_invitations (invited_by)
  where accepted_at is null and revoked_at is null;
create index team_invitations_newest on team_invitations (client_id, serial desc);

-- Whether an admin's yes counts: owners and finance approve, and who was given that role does so a day later and
-- with a second factor, so that one person alone cannot make themselves a second one.
create function may_approve(approver users, at timestamptz) returns boolean language sql stable as $$
  select coalesce(approver.team_role, 'owner') in ('owner', 'finance')
    and (approver.team_since is null
      or approver.team_since <= at - interval '24 hours' and approver.twofa_enabled)
$$;

create or replace function check_approval_vote() returns trigger language plpgsql as $$
begin
  if not exists (
    select from approvals a join users u on u.user_id = new.user_id join clients c on c.client_id = u.client_id
     where a.approval_id = new.approval_id and a.status = 'PENDING' and a.expires_at > service_now()
       and u.user_id <> a.made_by and u.user_id is distinct from a.receiver
       and u.created <= a.created_at and u.role = 'admin' and u.user_status = 'ACTIVE'
       and (not new.is_approval or may_approve(u, service_now()))
       and client_is_open(c.client_status)
       and ('operator' = any (a.roles) and u.client_id = 1 or 'admin' = any (a.roles) and u.client_id = a.client_id))
  then
    raise exception 'user % may not decide about %', new.user_id, new.approval_id
      using errcode = 'check_violation', constraint = 'approvals_by_others';
  end if;
  return new;
end $$;
