import type { Feature } from '#kernel/feature.ts';
import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import { createTransfers } from './carry-out.ts';
import { forgetConfirmations } from './confirmation-store.ts';
import type { AgentDeps } from './deps.ts';
import { AGENT_WORDS } from './reference.ts';
import { agentRoutes } from './routes.ts';
import { forgetConversations } from './store.ts';

export { SEALED_CONVERSATIONS } from './store.ts';

/** What people tell the agent to do with their wallets (contract: Crypto wallets, `/agent`). */
export function createAgent(deps: AgentDeps): Feature {
  const transfers = createTransfers(deps);
  return {
    name: 'agent',
    reference: AGENT_WORDS,
    routes: agentRoutes(deps, transfers),
    effects: [transfers],
    schedules: [forgetting(deps)],
  };
}

const BATCH = 1000;
/** As long as somebody may ask what they had agreed to; what was sent is in other tables. */
const KEPT_MS = 30 * 24 * 3600 * 1000;

/** What has served its time goes, so many rows at a time. */
const forgetting = ({ db, clock }: AgentDeps): Schedule =>
  defineSchedule({
    name: 'agent-forgets',
    cron: '41 * * * *',
    async run() {
      const at = clock.now();
      const old = new Date(at.getTime() - KEPT_MS);
      while ((await forgetConversations(db, at, BATCH)) === BATCH);
      while ((await forgetConfirmations(db, old, BATCH)) === BATCH);
    },
  });
