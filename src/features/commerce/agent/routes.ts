import { Type } from 'typebox';
import { fail } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { missingFields } from '#kernel/http/declare/faults.ts';
import { named } from '#kernel/http/declare/named.ts';
import { at, endpoints, type Route } from '#kernel/http/declare/route.ts';
import {
  IdInput,
  Json,
  oneOfWords,
  stamped,
  TextOrNull,
  text,
} from '#kernel/http/declare/schema.ts';
import { secret } from '#kernel/http/declare/secret.ts';
import { POLICY_ERRORS } from '#kernel/policies/policy.ts';
import { converse } from './converse.ts';
import type { AgentDeps } from './deps.ts';
import { createHealth } from './health.ts';
import { INTENTS } from './intent.ts';
import type { Transfers } from './transfer-effect.ts';
import { shownTurn } from './turn.ts';

const endpoint = endpoints(codedEnvelope);
const INPUT_MAX = 4000;

/** `data` of a new address has its secret words. */
const Data = secret(Json);

const Processed = stamped({
  agent_response: named('AgentAnswer', {
    user_input: Type.String(),
    ai_response: Type.String(),
    message: Type.String(),
    intent_type: oneOfWords(INTENTS),
    completed: Type.Boolean(),
    cancelled: Type.Boolean(),
    requires_onboarding: Type.Boolean(),
    requires_input: Type.Boolean(),
    missing_parameter: TextOrNull,
    available_options: Type.Array(Type.String()),
    suggested_actions: Type.Array(Type.String()),
    data: Data,
    execution_result: Type.Object({ data: Data }),
    conversation_state: named('ConversationState', {
      onboarding_required: Type.Boolean(),
      input_required: Type.Boolean(),
      completed: Type.Boolean(),
      cancelled: Type.Boolean(),
      has_data: Type.Boolean(),
    }),
  }),
});

/** Wallets by plain sentences (contract: POST /agent/wallets/process, GET /agent/health). */
export const agentRoutes = (deps: AgentDeps, transfers: Transfers): Route[] => [
  endpoint('POST /agent/wallets/process', {
    name: 'agent.process',
    movesMoney: true,
    auth: 'user',
    errors: [
      'INSUFFICIENT_FUNDS',
      'ACCESS_DENIED',
      'WALLET_NOT_FOUND',
      'CHAIN_EXISTS',
      'TOKEN_ALREADY_EXISTS',
      ...POLICY_ERRORS,
      'PROVIDER_REJECTED',
      'PROVIDER_UNAVAILABLE',
    ],
    summary: 'Does with the caller’s wallets what a sentence asks for, in English or Indonesian',
    body: Type.Object({
      user_input: text(INPUT_MAX),
      user_id: IdInput,
      context: Type.Optional(
        Type.Unsafe<unknown>({
          type: 'object',
          description:
            'For callers that keep the conversation: `conversation_history` of `{role, content}`, ' +
            '`intent` and `parameters` as in `data`, and the `confirmation_id` that a yes is meant for',
        }),
      ),
    }),
    bodyKind: 'list',
    reply: { 200: Processed, 206: Processed },
    invalid: missingFields,
    async handler({ caller, body: { user_input, user_id, context }, operation, request }) {
      if (user_id !== caller.user_id)
        throw fail('ACCESS_DENIED', 'The agent acts for whoever is logged in, and nobody else');
      // An admin's wider reach would be the model's, too.
      const own = { ...caller, role: 'user' as const, operator: false };
      const turn = await converse(deps, transfers, {
        caller: own,
        request,
        operation,
        context,
        input: user_input,
      });
      const agent_response = shownTurn(user_input, turn);
      return agent_response.requires_input ? at(206, { agent_response }) : { agent_response };
    },
  }),

  healthRoute(deps),
];

function healthRoute(deps: AgentDeps): Route {
  const health = createHealth(deps);
  return endpoint('GET /agent/health', {
    name: 'agent.health',
    auth: 'user',
    errors: ['PROVIDER_UNAVAILABLE'],
    summary: 'Whether the agent works, by what its model, its database and its chains answer',
    reply: {
      200: stamped({
        message: Type.String(),
        service_status: Type.Object({
          database_connection: Type.Boolean(),
          service_response: Type.Boolean(),
          environment_checks: Type.Record(Type.String(), Type.Boolean()),
          fully_configured: Type.Boolean(),
        }),
      }),
    },
    async handler() {
      const service_status = await health();
      const { database_connection, service_response } = service_status;
      if (!database_connection || !service_response)
        throw fail('PROVIDER_UNAVAILABLE', 'The agent is not operational', {
          details: service_status,
          extra: { service_status },
          retryAfter: 10,
        });
      return { message: 'The agent is operational', service_status };
    },
  });
}
