import type { FastifyInstance, FastifyReply } from 'fastify';
import type {
  AccountsGetRequest,
  AuthGetResponse,
  InstitutionsGetByIdRequest,
  InstitutionsGetByIdResponse,
  Item,
  ItemPublicTokenExchangeRequest,
  ItemWithConsentFields,
  LinkTokenCreateRequest,
  LinkTokenGetRequest,
  LinkTokenGetResponse,
  PlaidError,
  SandboxPublicTokenCreateRequest,
} from 'plaid';
import type { World } from '#sandbox/simulator.ts';
import {
  answered,
  ITEM_GONE,
  LOGIN_REQUIRED,
  NO_ACCESS_TOKEN,
  NO_INSTITUTION,
  NO_LINK_TOKEN,
  NO_PUBLIC_TOKEN,
  plaidError,
  problem,
} from './simulated-answers.ts';
import {
  exchangeToken,
  findItem,
  findLink,
  finishLink,
  INSTITUTIONS,
  openLink,
  removeItem,
  type SimulatedPlaidItem,
  setLoginRequired,
} from './simulated-items.ts';
import { callBackOfItem } from './simulated-webhook.ts';

/** Their document validates each body before. */
export function linkEndpoints(server: FastifyInstance, world: World): void {
  server.post<{ Body: LinkTokenCreateRequest }>('/link/token/create', async ({ body }) => {
    const { user, redirect_uri } = body;
    const owner = user?.client_user_id ?? '';
    const { link_token, expires_at } = await openLink(world, owner, redirect_uri ?? null);
    return answered({ link_token, expiration: stampOf(expires_at) });
  });

  server.post<{ Body: LinkTokenGetRequest }>('/link/token/get', async ({ body }, reply) => {
    const link = await findLink(world, body.link_token);
    if (!link) return problem(reply, NO_LINK_TOKEN);
    const shown: Omit<LinkTokenGetResponse, 'request_id'> = {
      link_token: link.link_token,
      created_at: stampOf(link.created_at),
      expiration: stampOf(link.expires_at),
      link_sessions: [],
      metadata: {
        initial_products: PRODUCTS,
        webhook: null,
        country_codes: US,
        language: 'en',
        redirect_uri: link.redirect_uri,
        client_name: 'Archipay',
      },
    };
    return answered(shown);
  });

  server.post<{ Body: SandboxPublicTokenCreateRequest }>(
    '/sandbox/public_token/create',
    async ({ body: { institution_id } }, reply) => {
      const finished = await finishLink(world, { institution_id });
      if (!finished) return problem(reply, NO_INSTITUTION);
      return answered({ public_token: finished.public_token });
    },
  );

  server.post<{ Body: ItemPublicTokenExchangeRequest }>(
    '/item/public_token/exchange',
    async ({ body }, reply) => {
      const exchanged = await exchangeToken(world, body.public_token);
      return exchanged ? answered(exchanged) : problem(reply, NO_PUBLIC_TOKEN);
    },
  );

  institutionEndpoint(server);
}

function institutionEndpoint(server: FastifyInstance): void {
  server.post<{ Body: InstitutionsGetByIdRequest }>(
    '/institutions/get_by_id',
    async ({ body }, reply) => {
      const bank = INSTITUTIONS.find((one) => one.institution_id === body.institution_id);
      if (!bank) return problem(reply, NO_INSTITUTION);
      const institution: InstitutionsGetByIdResponse['institution'] = {
        ...bank,
        products: PRODUCTS,
        country_codes: US,
        routing_numbers: [ROUTING],
        oauth: false,
      };
      return answered({ institution });
    },
  );
}

const stampOf = (seconds: number): string => new Date(seconds * 1000).toISOString();
const PRODUCTS = ['auth', 'transfer'] as Item['billed_products'];
const US = ['US'] as InstitutionsGetByIdRequest['country_codes'];
/** The routing number of Plaid's own made-up banks. */
const ROUTING = '011401533';

interface ByAccessToken {
  Body: Pick<AccountsGetRequest, 'access_token'>;
}

/** The item, if its log-in still holds; else its error has been answered. */
async function openItem(world: World, access_token: string, reply: FastifyReply) {
  const item = await findItem(world, access_token);
  const fault = !item ? NO_ACCESS_TOKEN : item.removed ? ITEM_GONE : undefined;
  if (!item || fault) return void problem(reply, fault ?? NO_ACCESS_TOKEN);
  if (item.login_required) return void problem(reply, LOGIN_REQUIRED);
  return item;
}

/** What the bank has of an account. */
export function accountEndpoints(server: FastifyInstance, world: World): void {
  const opened = (access_token: string, reply: FastifyReply) =>
    openItem(world, access_token, reply);

  for (const path of ['/accounts/get', '/accounts/balance/get'])
    server.post<ByAccessToken>(path, async ({ body }, reply) => {
      const item = await opened(body.access_token, reply);
      if (!item) return reply;
      return answered({ accounts: item.accounts, item: shownItem(item) });
    });

  server.post<ByAccessToken>('/auth/get', async ({ body }, reply) => {
    const item = await opened(body.access_token, reply);
    if (!item) return reply;
    const ach = item.accounts.map(({ account_id, mask }) => ({
      account_id,
      account: `111122223333${mask}`,
      routing: ROUTING,
      wire_routing: '021000021',
    }));
    const numbers: AuthGetResponse['numbers'] = { ach, eft: [], international: [], bacs: [] };
    return answered({ accounts: item.accounts, numbers, item: shownItem(item) });
  });

  server.post<ByAccessToken>('/identity/get', async ({ body }, reply) => {
    const item = await opened(body.access_token, reply);
    if (!item) return reply;
    const owners = [
      { names: ['Alberta Bobbeth Charleson'], phone_numbers: [], emails: [], addresses: [] },
    ];
    const accounts = item.accounts.map((account) => ({ ...account, owners }));
    return answered({ accounts, item: shownItem(item) });
  });
}

/** The log-in itself. */
export function itemEndpoints(server: FastifyInstance, world: World): void {
  server.post<ByAccessToken>('/item/get', async ({ body }, reply) => {
    const item = await findItem(world, body.access_token);
    if (!item) return problem(reply, NO_ACCESS_TOKEN);
    if (item.removed) return problem(reply, ITEM_GONE);
    return answered({ item: shownItem(item), status: null });
  });

  server.post<ByAccessToken>('/item/remove', async ({ body }, reply) => {
    if (!(await findItem(world, body.access_token))) return problem(reply, NO_ACCESS_TOKEN);
    const isRemoved = await removeItem(world, body.access_token);
    return isRemoved ? answered({}) : problem(reply, ITEM_GONE);
  });

  server.post<ByAccessToken>('/sandbox/item/reset_login', async ({ body }, reply) => {
    const item = await setLoginRequired(world, body.access_token, true);
    if (!item) return problem(reply, NO_ACCESS_TOKEN);
    void callBackOfItem(world, item.item_id, loginError());
    return answered({ reset_login: true });
  });
}

const loginError = (): PlaidError =>
  plaidError(LOGIN_REQUIRED.type, LOGIN_REQUIRED.code, LOGIN_REQUIRED.message) as PlaidError;

const shownItem = (item: SimulatedPlaidItem): ItemWithConsentFields => ({
  item_id: item.item_id,
  institution_id: item.institution.institution_id,
  institution_name: item.institution.name,
  webhook: item.webhook,
  auth_method: null,
  error: item.login_required ? loginError() : null,
  available_products: [],
  billed_products: PRODUCTS,
  products: PRODUCTS,
  consent_expiration_time: null,
  update_type: 'background' as ItemWithConsentFields['update_type'],
});
