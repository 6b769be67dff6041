-- Whether another client is ACTIVE is looked up wherever a client's part of a platform's day is counted: two of them are read.
create index clients_active on clients (client_id) where client_status = 'ACTIVE';
