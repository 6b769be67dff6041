import { connect, createServer } from 'node:net';
import { type Config, usesSandbox } from '#kernel/config/config.ts';

/** A port that this process will listen on. */
interface ConfiguredPort {
  readonly setting: 'PORT' | 'WORKER_PORT' | 'OPS_PORT';
  readonly host: string;
  readonly port: number;
}

const ASK_MS = 20_000;

/** Reasons why the configured ports cannot be listened on, found before anything starts. */
export async function portFaults(config: Config): Promise<string[]> {
  const ports = configuredPorts(config);
  const twice = sameTwice(ports);
  if (twice.length > 0) return twice;
  const faults = await Promise.all([...ports.map(portFault), sandboxFault(config)]);
  return faults.filter((fault) => fault !== undefined);
}

/** An error of listening in the operator's words; other errors come back unchanged. */
export function portError(
  setting: ConfiguredPort['setting'],
  config: Config,
  error: unknown,
): unknown {
  const { HOST: host, [setting]: port = 0 } = config;
  const words = faultWords({ setting, host, port }, error);
  return words === undefined ? error : new Error(words, { cause: error });
}

/** Port 0 is any free port, and needs no check. */
function configuredPorts(config: Config): ConfiguredPort[] {
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

function sameTwice(ports: readonly ConfiguredPort[]): string[] {
  return ports.flatMap(({ setting, port }, i) => {
    const other = ports.slice(0, i).find((one) => one.port === port);
    return other ? [`${setting}=${port}: the same as ${other.setting}; each needs its own`] : [];
  });
}

function portFault(place: ConfiguredPort): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error) => resolve(faultWords(place, error) ?? error.message));
    probe.listen({ host: place.host, port: place.port }, () => {
      probe.close(() => resolve(undefined));
    });
  });
}

function faultWords({ setting, host, port }: ConfiguredPort, error: unknown): string | undefined {
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
 * Another process of this service may host the sandbox; the database knows which one. This check only finds out
 * whether a sandbox answers. It calls the port and never listens on it, since several processes may start at once.
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
