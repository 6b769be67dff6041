import { acrossChains, CHAIN_KEYS, type EvmChain, readSupply } from '#chains/evm/port.ts';
import type { AgentDeps } from './deps.ts';
import { pingDatabase } from './store.ts';

export interface ServiceStatus {
  readonly database_connection: boolean;
  readonly service_response: boolean;
  readonly environment_checks: Readonly<Record<string, boolean>>;
  readonly fully_configured: boolean;
}

/** Callers share one probe: the model costs money, and others use the chains, too. */
const KEPT_MS = 10_000;

/** The agent's status, from probes of its model, its database and its chains. */
export function createHealth(deps: AgentDeps): () => Promise<ServiceStatus> {
  let latest: { readonly until: number; readonly status: Promise<ServiceStatus> } | undefined;
  return () => {
    const now = deps.clock.now().getTime();
    if (latest === undefined || latest.until <= now)
      latest = { until: now + KEPT_MS, status: probe(deps) };
    return latest.status;
  };
}

async function probe({ db, evm, model, isModelConfigured }: AgentDeps): Promise<ServiceStatus> {
  const [database_connection, service_response, chains] = await Promise.all([
    pingDatabase(db).then(
      () => true,
      () => false,
    ),
    model.probe().then(({ kind }) => kind === 'done'),
    probeChains(evm.chains),
  ]);
  const environment_checks = { llm_configured: isModelConfigured, ...chains };
  const all = [database_connection, service_response, ...Object.values(environment_checks)];
  return {
    database_connection,
    service_response,
    environment_checks,
    fully_configured: all.every(Boolean),
  };
}

/** `rpc_…`: its node answers. `usdc_…`: our token is there. */
async function probeChains(
  chains: AgentDeps['evm']['chains'],
): Promise<Readonly<Record<string, boolean>>> {
  const answers = await acrossChains(chains, (chain: EvmChain) =>
    readSupply(chain, chain.contracts.usdc),
  );
  const checks = CHAIN_KEYS.flatMap((key) => {
    const answer = answers[key];
    const hasToken = answer !== undefined && 'value' in answer;
    const isAway = answer === undefined || ('fault' in answer && AWAY.has(answer.fault.kind));
    return [
      [`usdc_${key}`, hasToken],
      [`rpc_${key}`, !isAway],
    ] as const;
  });
  return Object.fromEntries(checks);
}

const AWAY: ReadonlySet<string> = new Set(['unreachable', 'pending']);
