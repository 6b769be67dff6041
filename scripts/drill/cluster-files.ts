import { join } from 'node:path';
import type { ClusterOptions } from './cluster.ts';

/** One of the three. */
export interface Node {
  readonly name: string;
  /** Belongs to the user that PostgreSQL runs as. */
  homeIn(folder: string): string;
  dataIn(folder: string): string;
  fileIn(folder: string): string;
}

export const NODES: readonly Node[] = ['node1', 'node2', 'node3'].map((name) => ({
  name,
  homeIn: (folder) => join(folder, name),
  dataIn: (folder) => join(folder, name, 'data'),
  fileIn: (folder) => join(folder, `${name}.yml`),
}));

/** Ports of the drill's own, all on the loopback. */
export interface Places {
  readonly etcd: number;
  readonly etcdPeer: number;
  readonly redis: number;
  /** Leads to the current leader. */
  readonly proxy: number;
  readonly apis: readonly number[];
  readonly sandbox: number;
  readonly mail: number;
  /** By the node's name. */
  readonly postgres: Readonly<Record<string, number>>;
  readonly rest: Readonly<Record<string, number>>;
  readonly passwords: { readonly superuser: string; readonly owner: string };
}

export const PLACES = 13;

/** That many ports from `first` on. */
export function placesFrom(first: number, password: () => string): Places {
  let next = first;
  const port = () => next++;
  const each = () => Object.fromEntries(NODES.map(({ name }) => [name, port()]));
  return {
    etcd: port(),
    etcdPeer: port(),
    redis: port(),
    proxy: port(),
    apis: [port(), port()],
    sandbox: port(),
    mail: port(),
    postgres: each(),
    rest: each(),
    passwords: { superuser: password(), owner: password() },
  };
}

/**
 * The time to detect a dead leader. Patroni's own defaults are 30, 10 and 10, with at least 20 recommended for the
 * first; a drill of many failovers should not wait that long for each.
 */
export const TIMES = { ttl: 10, loop_wait: 2, retry_timeout: 3 };

/** Patroni's configuration of one node. JSON is YAML, too. */
export function patroniFile(node: Node, { folder, programs, places }: ClusterOptions): string {
  const rest = `127.0.0.1:${places.rest[node.name]}`;
  const postgres = `127.0.0.1:${places.postgres[node.name]}`;
  const { superuser: password } = places.passwords;
  return JSON.stringify(
    {
      scope: 'drill',
      name: node.name,
      restapi: { listen: rest, connect_address: rest },
      etcd3: { host: `127.0.0.1:${places.etcd}` },
      bootstrap: {
        dcs: {
          ...TIMES,
          // A commit is acknowledged when the next leader has it, too.
          synchronous_mode: true,
          maximum_lag_on_failover: 1024 * 1024,
          postgresql: { use_pg_rewind: true, parameters: { max_connections: 200 } },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
      },
      postgresql: {
        listen: postgres,
        connect_address: postgres,
        data_dir: node.dataIn(folder),
        bin_dir: programs.postgresql,
        pgpass: join(node.homeIn(folder), 'pgpass'),
        authentication: {
          superuser: { username: 'postgres', password },
          replication: { username: 'replicator', password },
        },
        pg_hba: [
          'local all all scram-sha-256',
          'host all all 127.0.0.1/32 scram-sha-256',
          'host replication all 127.0.0.1/32 scram-sha-256',
        ],
        parameters: { unix_socket_directories: '', shared_buffers: '64MB' },
      },
    },
    null,
    2,
  );
}

/** The node that reports leadership gets the connections; those to the last leader are cut. */
export const haproxyFile = ({ proxy, postgres, rest }: Places): string => `
defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
  timeout check 1s
listen postgres
  bind 127.0.0.1:${proxy}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${NODES.map(
  ({ name }) => `  server ${name} 127.0.0.1:${postgres[name]} check port ${rest[name]}`,
).join('\n')}
`;
