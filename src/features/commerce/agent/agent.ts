import type { Feature } from '#kernel/feature.ts';
import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import { forgetConfirmations } from './confirmation-store.ts';
import type { AgentDeps } from './deps.ts';
import { AGENT_PERSON_DATA } from './person-data.ts';
import { AGENT_WORDS } from './reference.ts';
import { agentRoutes } from './routes.ts';
import { forgetConversations } from './store.ts';
import { createTransfers } from './transfer-effect.ts';

export { SEALED_CONVERSATIONS } from './store.ts';

/** Acts on users' sentences about their wallets (contract: Crypto wallets, `/agent`). */
export function createAgent(deps: AgentDeps): Feature {
  const transfers = createTransfers(deps);
  return {
    name: 'agent',
    personData: AGENT_PERSON_DATA,
    reference: AGENT_WORDS,
    routes: agentRoutes(deps, transfers),
    effects: [transfers],
    schedules: [forgetting(deps)],
  };
}

const BATCH = 1000;
/** How long a user may look a confirmation up; the transfers themselves are in other tables. */
const KEPT_MS = 30 * 24 * 3600 * 1000;

/** Deletes expired conversations and old confirmations, in batches. */
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
