import { Type } from 'typebox';
import { operatorOnly } from '#kernel/access/tenant-scope.ts';
import { errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { Id, IdInput } from '#kernel/http/declare/schema.ts';
import { orderClientReinstatement, orderClientSuspension } from './clients.ts';
import { example, ReasonBody, SuspensionBody } from './order.ts';
import { OutstandingOfClient, OutstandingOfUser } from './outstanding.ts';
import { SUSPENSION_STATE } from './state.ts';
import { orderUserReinstatement, orderUserSuspension, type UserSuspensionDeps } from './users.ts';
import { walletRoutes } from './wallet-routes.ts';

export type SuspensionDeps = UserSuspensionDeps;

const endpoint = endpoints(errorEnvelope);

const CLIENT = { client_id: Id, client_status: Type.String(), ...SUSPENSION_STATE };
const ofClient = {
  params: Type.Object({ client_id: IdInput }),
  body: ReasonBody,
  example,
  atomic: true,
} as const;
const PERSON = { user_id: Id, user_status: Type.String(), ...SUSPENSION_STATE };
const ofPerson = {
  params: Type.Object({ user_id: IdInput }),
  example,
  atomic: true,
} as const;

/** Beyond the contract, which has statuses for suspended clients and users and no endpoint that sets them. */
export const suspensionRoutes = (deps: SuspensionDeps): Route[] => [
  ...clientRoutes(deps),
  ...peopleRoutes(deps),
  ...walletRoutes(),
];

const clientRoutes = (deps: SuspensionDeps): Route[] => [
  endpoint('POST /clients/{client_id}/stop', {
    name: 'clients.stop',
    team: 'team:write',
    auth: 'admin',
    proof: true,
    permit: operatorOnly,
    errors: ['CLIENT_NOT_FOUND'],
    summary:
      'Suspends a client at once: its keys, log-ins and webhooks; payments in flight are finished. The operator only',
    ...ofClient,
    reply: { 200: named('StoppedClient', { ...CLIENT, left: OutstandingOfClient }) },
    fault: 'Failed to stop the client',
    handler: ({ caller, params, body: { reason }, request, db }) =>
      orderClientSuspension(deps, db, params.client_id, { caller, reason, request }),
  }),

  endpoint('POST /clients/{client_id}/let-in', {
    name: 'clients.letIn',
    team: 'team:write',
    auth: 'admin',
    proof: true,
    permit: operatorOnly,
    errors: ['CLIENT_NOT_FOUND'],
    summary: 'Lets a client in again that was stopped, with the keys and log-ins that it had',
    ...ofClient,
    reply: { 200: named('ClientStanding', CLIENT) },
    fault: 'Failed to let the client in',
    handler: ({ caller, params, body: { reason }, request, db }) =>
      orderClientReinstatement(deps, db, params.client_id, { caller, reason, request }),
  }),
];

const peopleRoutes = (deps: SuspensionDeps): Route[] => [
  endpoint('POST /admins/users/{user_id}/stop', {
    name: 'admins.stopUser',
    auth: 'admin',
    proof: true,
    errors: ['USER_NOT_FOUND'],
    summary:
      'Suspends a user: ends their log-ins and voids their orders, proposals and endpoints, which the answer lists',
    ...ofPerson,
    body: SuspensionBody,
    reply: { 200: named('StoppedUser', { ...PERSON, left: OutstandingOfUser }) },
    fault: 'Failed to stop the user',
    handler: ({ caller, params, body, request, db }) =>
      orderUserSuspension(deps, db, params.user_id, { caller, ...body, request }),
  }),

  endpoint('POST /admins/users/{user_id}/let-in', {
    name: 'admins.letUserIn',
    auth: 'admin',
    proof: true,
    errors: ['USER_NOT_FOUND'],
    summary:
      'Reinstates a suspended user; only the operator reinstates users whom it has suspended',
    ...ofPerson,
    body: ReasonBody,
    reply: { 200: named('UserStanding', PERSON) },
    fault: 'Failed to let the user in',
    handler: ({ caller, params, body: { reason }, request, db }) =>
      orderUserReinstatement(deps, db, params.user_id, { caller, reason, request }),
  }),
];
