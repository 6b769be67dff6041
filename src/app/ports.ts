import { connect, createServer } from 'node:net';
import { type Config, usesSandbox } from '#kernel/config/config.ts';

/** One that this process will listen on. */
interface Place {
  readonly setting: 'PORT' | 'WORKER_PORT' | 'OPS_PORT';
  readonly host: string;
  readonly port: number;
}

const ASK_MS = 20_000;

/** What keeps the configured ports from being listened on, each said once, before anything is started. */
export async function portFaults(config: Config): Promise<string[]> {
  const places = placesOf(config);
  const twice = sameTwice(places);
  if (twice.length > 0) return twice;
  const faults = await Promise.all([...places.map(placeFault), sandboxFault(config)]);
  return faults.filter((fault) => fault !== undefined);
}

/** What an error of listening means for the operator; itself where it is none of those. */
export function portError(setting: Place['setting'], config: Config, error: unknown): unknown {
  const { HOST: host, [setting]: port = 0 } = config;
  const words = faultWords({ setting, host, port }, error);
  return words === undefined ? error : new Error(words, { cause: error });
}

/** 0 is any free one. */
function placesOf(config: Config): Place[] {
  const used = [
    config.ROLE === 'worker' ? undefined : ('PORT' as const),
    config.ROLE === 'worker' ? ('WORKER_PORT' as const) : undefined,
    'OPS_PORT' as const,
  ];
  return used.flatMap((setting) => {
    const port = setting && config[setting];
    return port ? [{ setting, host: config.HOST, port }] : [];
  });
}

function sameTwice(places: readonly Place[]): string[] {
  return places.flatMap(({ setting, port }, i) => {
    const other = places.slice(0, i).find((one) => one.port === port);
    return other ? [`${setting}=${port}: the same as ${other.setting}; each needs its own`] : [];
  });
}

function placeFault(place: Place): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error) => resolve(faultWords(place, error) ?? error.message));
    probe.listen({ host: place.host, port: place.port }, () => {
      probe.close(() => resolve(undefined));
    });
  });
}

function faultWords({ setting, host, port }: Place, error: unknown): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return `${setting}=${port}: already in use; set ${setting}= to another, or stop what listens there`;
  if (code === 'EACCES')
    return `${setting}=${port}: this user may not listen there; set ${setting}= to 1024 or more`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `HOST=${host}: no address of this machine; set HOST= to 127.0.0.1, or 0.0.0.0 for all of them`;
  return undefined;
}

/**
 * The sandbox may be hosted by another process of this service. Whose it is the database knows; here
 * only whether it is a sandbox at all. Its port is called and not listened on, even for a moment, since
 * several processes may start at once.
 */
async function sandboxFault(config: Config): Promise<string | undefined> {
  const { SANDBOX_HOST: host, SANDBOX_PORT: port } = config;
  if (!usesSandbox(config) || config.ROLE === 'worker' || port === 0) return undefined;
  if (!(await answers(host, port)) || (await isSandbox(port))) return undefined;
  return `SANDBOX_PORT=${port}: already in use by another program; set SANDBOX_PORT= to another`;
}

const answers = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: ASK_MS });
    const end = (is: boolean) => () => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', end(true)).once('timeout', end(true)).once('error', end(false));
  });

async function isSandbox(port: number): Promise<boolean> {
  try {
    const reply = await fetch(`http://localhost:${port}/index.json`, {
      signal: AbortSignal.timeout(ASK_MS),
    });
    return typeof ((await reply.json()) as { id?: unknown }).id === 'string';
  } catch {
    return false;
  }
}
