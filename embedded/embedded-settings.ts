/**
 * The whole configuration of the embedded server: sized for one machine that also runs the service.
 * It is rewritten at every start, so a change here reaches existing databases.
 */
export function postgresSettings(port: number, durable: boolean): string {
  const lines = {
    listen_addresses: '127.0.0.1',
    port,
    // Socket paths have a length limit that a deep DATA_DIR would exceed.
    unix_socket_directories: '',
    // A run of tests has many services on one server.
    max_connections: durable ? 200 : 500,
    shared_buffers: '128MB',
    // One process fewer to start each; our queries are short and single-row.
    io_method: 'sync',
    // Containers keep /dev/shm small, and a killed server would leave its share there for ever.
    dynamic_shared_memory_type: 'mmap',
    max_parallel_workers_per_gather: 0,
    max_parallel_maintenance_workers: 0,
    jit: 'off',
    random_page_cost: 1.1,
    wal_level: 'minimal',
    max_wal_senders: 0,
    wal_compression: 'pglz',
    max_wal_size: durable ? '1GB' : '256MB',
    checkpoint_timeout: '15min',
    fsync: durable ? 'on' : 'off',
    synchronous_commit: durable ? 'on' : 'off',
    full_page_writes: durable ? 'on' : 'off',
    password_encryption: 'scram-sha-256',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    log_line_prefix: '%m [%p] ',
    // The server's own messages, but no failed statements: their values may be secrets.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
  };
  return Object.entries(lines)
    .map(([name, value]) => `${name} = '${value}'\n`)
    .join('');
}
