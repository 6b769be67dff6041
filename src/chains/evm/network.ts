import { join } from 'node:path';
import type { Db } from '#kernel/db/db.ts';
import { isDatabaseUnavailable } from '#kernel/db/sql-errors.ts';
import { refuseDryRun } from '#kernel/dry-run.ts';
import { lazy } from '#kernel/lazy.ts';
import { endsWithin } from '#kernel/shutdown.ts';
import { rpcSetting } from './chain-setting.ts';
import { CHAIN_KEYS, CHAINS, type ChainInfo, type ChainKey } from './chains.ts';
import { type ChainAccess, type ChainClient, connect } from './client.ts';
import { type ContractSet, ensureContracts, predictContracts } from './contracts/deploy.ts';
import { evmDestinations } from './destinations.ts';
import type { EmbeddedNode, EmbeddedNodes } from './embedded-nodes.ts';
import { ChainError, chainFault } from './fault.ts';
import type { ChainListener, EvmChain, EvmNetwork } from './port.ts';
import { monitorOpenEvm } from './sending/monitor.ts';
import { offeredGasPrice } from './sending/prepare.ts';
import { createSender, type Sender } from './sending/sender.ts';
import {
  type ChainLog,
  EMBEDDED_DEFAULTS,
  SENDER_DEFAULTS,
  type SenderSettings,
} from './settings.ts';
import { type PlatformKeys, platformSigner, type Signer } from './signer.ts';

/** What is on its way when the chains are to end may take this long; the journal knows the rest. */
const SENDS_MS = 1000;

export interface NetworkOptions {
  readonly db: Db;
  readonly log: ChainLog;
  readonly keys: PlatformKeys;
  /** Embedded chains keep their state in `chains` below it. */
  readonly dataDir: string;
  readonly rpcUrls?: Partial<Record<ChainKey, string | undefined>>;
  /** Starts a node of our own for a chain without a URL. Without it such a chain is not configured. */
  readonly nodes?: EmbeddedNodes | undefined;
  /** Addresses that differ from those of our deployment. */
  readonly contracts?: Partial<Record<ChainKey, Partial<ContractSet> | undefined>>;
  readonly settings?: Partial<SenderSettings>;
  /** Blocks, the first its own, from which on a transaction counts; 1 when absent. */
  readonly confirmations?: number;
  /** Seconds between blocks of embedded chains; without it each transaction makes one at once. */
  readonly blockTimeS?: number | undefined;
  readonly snapshotEveryMs?: number;
  /** Signers of users' wallets, for replacing what is stuck. The platform's own are known. */
  readonly signerOf?: (address: string) => Promise<Signer | undefined>;
  /** Contracts beside ours that nothing may be sent to. */
  readonly otherContracts?: readonly string[];
}

/** A chain as its operator sees it. */
export interface ManagedChain extends EvmChain {
  readonly sender: Sender;
  /** The RPC address of the moment. */
  url(): Promise<string>;
  /** Deploys and grants what is missing. Embedded chains have done so before their first use. */
  deploy(): Promise<ContractSet>;
}

export interface ManagedNetwork extends EvmNetwork {
  readonly chains: Readonly<Record<ChainKey, ManagedChain>>;
  /** Starts all embedded nodes in the background; the first use would otherwise do it. */
  warm(): void;
  /** Looks after the transactions of all running chains from now on, again and again. */
  watch(everyMs: number): void;
  /** Ends sends in progress, then keeps the states and ends the nodes. */
  stop(): Promise<void>;
}

/** The three chains. Nothing is started or asked before it is used. */
export function createNetwork(options: NetworkOptions): ManagedNetwork {
  let watching: NodeJS.Timeout | undefined;
  const listeners: ChainListener[] = [];
  const changed: ChainListener = async (row) => {
    for (const listener of listeners)
      await listener(row).catch((err: unknown) => {
        options.log.warn({ reference: row.reference, err }, 'What a chain has done was not heard');
      });
  };
  const predicted = lazy(() => predictContracts(options.keys));
  const opened = CHAIN_KEYS.map(
    (key) => [key, createChain(options, CHAINS[key], { predicted, changed })] as const,
  );
  const chains = Object.fromEntries(opened) as Record<ChainKey, OpenChain>;
  const { keys, otherContracts = [] } = options;
  return {
    chains,
    keys,
    ...evmDestinations({ chains, keys }, otherContracts),
    listen: (listener) => void listeners.push(listener),
    warm() {
      if (!options.nodes) return;
      for (const [, chain] of opened) {
        if (!chain.isEmbedded) continue;
        // The log has heard why, and the next use tries again.
        chain.client().catch(() => undefined);
      }
    },
    watch(everyMs) {
      watching ??= setInterval(() => {
        for (const [, chain] of opened) if (chain.isRunning()) void lookQuietly(chain, options.log);
      }, everyMs).unref();
    },
    async stop() {
      clearInterval(watching);
      await Promise.all(opened.map(([, chain]) => chain.stop()));
    },
  };
}

/** A round that takes longer than the pause is not joined by a second one. */
async function lookQuietly(chain: OpenChain, log: ChainLog): Promise<void> {
  if (looking.has(chain)) return;
  looking.add(chain);
  await chain.monitorOpen().catch((error: unknown) => {
    log.warn(
      { chain: chain.info.key, err: chainFault(error) },
      'A chain could not be looked after',
    );
  });
  looking.delete(chain);
}
const looking = new WeakSet<OpenChain>();

interface OpenChain extends ManagedChain {
  stop(): Promise<void>;
}

interface Ready {
  readonly url: string;
  readonly client: ChainClient;
  readonly node?: EmbeddedNode;
}

interface Shared {
  /** Hashes whole programs, so only when somebody asks. */
  predicted(): ContractSet;
  readonly changed: ChainListener;
}

/** What the parts of one chain share. */
interface Making {
  readonly options: NetworkOptions;
  readonly info: ChainInfo;
  readonly settings: SenderSettings;
  /** Without one it has a node of our own. */
  readonly rpcUrl: string | undefined;
}

function createChain(
  options: NetworkOptions,
  info: ChainInfo,
  { predicted, changed }: Shared,
): OpenChain {
  const { db, keys, log, confirmations = 1 } = options;
  const rpcUrl = options.rpcUrls?.[info.key];
  const settings = settingsOf(options, rpcUrl !== undefined);
  const making = { options, info, settings, rpcUrl };
  const connection = createConnection(making);
  const contracts = lazy(() => ({ ...predicted(), ...options.contracts?.[info.key] }));
  const access: ChainAccess = { info, client: async () => (await connection.use()).client };
  const sender = createSender({ db, chain: access, log, settings });
  const signerOf = async (address: string) =>
    platformSigner(keys, address) ?? options.signerOf?.(address);
  return {
    ...access,
    isEmbedded: rpcUrl === undefined,
    get contracts() {
      return contracts();
    },
    confirmations,
    sender,
    gasCost: async (gas) =>
      rpcUrl === undefined ? 0n : gas * (await offeredGasPrice(await access.client(), settings)),
    url: async () => (await connection.use()).url,
    snapshot: async () => (await connection.use()).node?.snapshot(),
    isRunning: () => rpcUrl !== undefined || connection.isUsed(),
    monitorOpen: () =>
      monitorOpenEvm({
        db,
        chain: access,
        log,
        settings,
        signerOf,
        notice: sender.notice,
        changed,
      }),
    deploy: () => deployOn(making, access),
    async stop() {
      await endsWithin(sender.stop(), SENDS_MS);
      await connection.stop();
    },
  };
}

/** The way to a chain: to somebody's node, or to one of ours that is started by its first use. */
function createConnection(making: Making) {
  const { options, info, rpcUrl, settings } = making;
  const { log } = options;
  const ending = new AbortController();
  let ready: Promise<Ready> | undefined;

  const joinExternal = async (url: string): Promise<Ready> => ({
    url,
    client: await connect(info, url, { pollingMs: settings.pollMs }),
  });

  const begin = (): Promise<Ready> | undefined => {
    refuseDryRun('evm connect');
    if (rpcUrl) return joinExternal(rpcUrl);
    const { nodes } = options;
    return nodes && startEmbedded(making, nodes, ending.signal).catch(refusalOf(info, log));
  };

  return {
    isUsed: () => ready !== undefined,
    /** One start at a time, however many ask; after a failure or a crash the next one starts again. */
    use(): Promise<Ready> {
      if (ending.signal.aborted) return Promise.reject(new Error(`${info.key} has been stopped`));
      if (ready) return ready;
      const starting = begin();
      if (starting === undefined) return Promise.reject(notConfigured(info, log));
      const forget = () => {
        if (ready === starting) ready = undefined;
      };
      ready = starting;
      starting.then(({ node }) => node?.gone.then(forget), forget);
      return starting;
    },

    async stop(): Promise<void> {
      ending.abort();
      // One that failed to start has nothing to stop, and its callers got the error.
      const running = await ready?.catch(() => undefined);
      await running?.node?.stop();
    },
  };
}

async function startEmbedded(
  making: Making,
  nodes: EmbeddedNodes,
  signal: AbortSignal,
): Promise<Ready> {
  const { options, info } = making;
  const node = await nodes.open({
    info,
    dir: join(options.dataDir, 'chains'),
    log: options.log,
    blockTimeS: options.blockTimeS,
    signal,
    ...(options.snapshotEveryMs && { snapshotEveryMs: options.snapshotEveryMs }),
    bootstrap: async (url) => bootstrap(making, nodes, await connect(info, url)),
  });
  return { url: node.url, client: await connect(info, node.url), node };
}

async function bootstrap(making: Making, nodes: EmbeddedNodes, client: ChainClient): Promise<void> {
  const { db, keys, log } = making.options;
  await nodes.fundPlatform(client, keys);
  const again = await nodes.replay({ db, info: making.info, client, log, keys });
  if (again > 0) log.info({ chain: making.info.key, transactions: again }, 'Replayed the journal');
  await deployOn(making, { info: making.info, client: async () => client });
  await nodes.replaceUsdc(client, keys);
}

/** A sender of its own, because the chain's waits for what is being made here. */
async function deployOn(
  { options, info, settings, rpcUrl }: Making,
  chain: ChainAccess,
): Promise<ContractSet> {
  const { db, keys, log } = options;
  const configured = options.contracts?.[info.key];
  const own = createSender({ db, chain, log, settings });
  const hasFaucet = rpcUrl === undefined;
  return ensureContracts({ chain, sender: own, keys, configured, hasFaucet }).finally(own.stop);
}

/** Whatever kept it from starting, nothing was asked of it for anybody: the next use tries again. */
const refusalOf =
  ({ key }: ChainInfo, log: ChainLog) =>
  (error: unknown): never => {
    if (isDatabaseUnavailable(error)) throw error;
    log.error({ chain: key, err: chainFault(error) }, 'An embedded chain did not start');
    throw new ChainError('unreachable', `${key} did not start`);
  };

function notConfigured({ key }: ChainInfo, log: ChainLog): ChainError {
  log.warn({ chain: key, settings: [rpcSetting(key)] }, 'a chain is not configured');
  const details = { isNotConfigured: true } as const;
  return new ChainError('unreachable', `${key} has no RPC URL configured`, details);
}

/** What counts only that deep may change until then; a node of our own takes no block back. */
function settingsOf({ settings, confirmations = 1 }: NetworkOptions, isExternal: boolean) {
  if (!isExternal) return { ...EMBEDDED_DEFAULTS, ...settings };
  const finalDepth = Math.max(SENDER_DEFAULTS.finalDepth, confirmations - 1);
  return { ...SENDER_DEFAULTS, finalDepth, ...settings };
}
