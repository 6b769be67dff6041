-- Who is let in by way of a client (docs/decisions/0065): the contract has seen clients that are PENDING and ACTIVE, and
-- operators write other words to stop one.
create function client_is_open(client_status text) returns boolean
language sql immutable parallel safe return client_status in ('PENDING', 'ACTIVE');

-- What processes remember of its keys and sessions is read anew. The version before hears of a kind it does not know.
create trigger clients_changed after update of client_status on clients
  for each row when (client_is_open(old.client_status) is distinct from client_is_open(new.client_status))
  execute function tell_identity_changed('client', 'client_id');
