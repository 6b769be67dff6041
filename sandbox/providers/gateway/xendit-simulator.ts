import { Buffer } from 'node:buffer';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Config } from '#kernel/config/config.ts';
import { sameSecret } from '#kernel/secrets/token.ts';
import type { Simulator, World } from '#sandbox/simulator.ts';
import { holderOfAccount } from '../bank-host/simulated-holders.ts';
import { paymentPages } from './payment-page.ts';
import {
  type GatewayWorld,
  SIMULATED_GATEWAY_PREFIX,
  SIMULATED_GATEWAY_PROVIDER,
  simulatedGatewayBalanceOf,
} from './simulated-account.ts';
import { gatewayControls } from './simulated-controls.ts';
import {
  addInvoice,
  callBackOfInvoice,
  expireInvoice,
  invoiceById,
  listInvoices,
  shownInvoice,
} from './simulated-invoices.ts';
import { gatewayEntry, gatewayStatementPage, type StatementQuery } from './simulated-statement.ts';
import { xenditPayouts } from './xendit-payout-routes.ts';
import { invalidAtXendit, refuseAsXendit } from './xendit-refusals.ts';
import { CreateInvoice, ListedInvoices } from './xendit-schema.ts';

export type GatewayCredentials = Pick<Config, 'GATEWAY_KEY' | 'GATEWAY_CALLBACK_TOKEN'>;

/** Plays Xendit: invoices with a page to pay on, payouts, balance, statement, and its call-backs. */
export const xenditSimulator = (credentials: GatewayCredentials): Simulator => {
  const { GATEWAY_KEY: key, GATEWAY_CALLBACK_TOKEN: callbackToken } = credentials;
  return {
    provider: SIMULATED_GATEWAY_PROVIDER,
    prefix: SIMULATED_GATEWAY_PREFIX,
    refusal: (_status, error_code, message) => ({ error_code, message }),
    wire(server, bare) {
      const world = { ...bare, callbackToken };
      const right = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
      server.addHook('preHandler', async ({ headers }, reply) => {
        if (key === '' || !sameSecret(headers.authorization ?? '', right))
          return refuseAsXendit(reply, 401, 'INVALID_API_KEY', 'The API key is not valid');
      });
      invoiceEndpoints(server, world);
      xenditPayouts(server, world);
      accountEndpoints(server, world);
      holderEndpoint(server, world);
    },
    controls(server, bare) {
      const world = { ...bare, callbackToken };
      gatewayControls(server, world);
      paymentPages(server, world);
    },
  };
};

interface ById {
  Params: { id: string };
}

function invoiceEndpoints(server: FastifyInstance, world: GatewayWorld): void {
  server.post('/v2/invoices', async ({ body }, reply) => {
    if (!Value.Check(CreateInvoice, body)) return invalidAtXendit(reply, CreateInvoice, body);
    if ((body.currency ?? 'IDR') !== 'IDR')
      return refuseAsXendit(reply, 400, 'UNSUPPORTED_CURRENCY', 'The account takes IDR only');
    if (body.amount < 1)
      return refuseAsXendit(reply, 400, 'MINIMAL_TRANSFER_AMOUNT_ERROR', 'The amount is too small');
    return shownInvoice(world, await addInvoice(world, body));
  });

  server.get('/v2/invoices', async ({ query }, reply) => {
    if (!Value.Check(ListedInvoices, query)) return invalidAtXendit(reply, ListedInvoices, query);
    const { external_id, limit = 10 } = query;
    const listed = await listInvoices(world, Number(limit), external_id);
    return listed.map((invoice) => shownInvoice(world, invoice));
  });

  server.get<ById>('/v2/invoices/:id', async ({ params }, reply) => {
    const found = await invoiceById(world, params.id);
    return found ? shownInvoice(world, found.invoice) : missing(reply);
  });

  server.post<ById>('/invoices/:id/expire!', async ({ params }, reply) => {
    const found = await invoiceById(world, params.id);
    if (found === undefined) return missing(reply);
    const expired = await expireInvoice(world, found.key);
    if (expired === undefined)
      return refuseAsXendit(
        reply,
        400,
        'INVALID_STATUS_ERROR',
        `The invoice is ${found.invoice.status}`,
      );
    void callBackOfInvoice(world, expired);
    return shownInvoice(world, expired);
  });
}

function accountEndpoints(server: FastifyInstance, world: World): void {
  server.get('/balance', async () => ({ balance: await simulatedGatewayBalanceOf(world.records) }));
  server.get<{ Querystring: StatementQuery }>('/transactions', async ({ query }) =>
    gatewayStatementPage(world, query),
  );
  server.get<ById>('/transactions/:id', async ({ params }, reply) => {
    const entry = await gatewayEntry(world, params.id);
    return entry ?? refuseAsXendit(reply, 404, 'DATA_NOT_FOUND', 'There is no such transaction');
  });
}

const HolderQuestion = Type.Object({
  bank_account_number: Type.String({ minLength: 1, maxLength: 100 }),
  bank_code: Type.String({ minLength: 1, maxLength: 100 }),
});

/** The bank of an account without a set holder tells no names; accounts that begin with four zeros do not exist. */
function holderEndpoint(server: FastifyInstance, { records, clock }: World): void {
  server.post('/bank_account_data_requests', async ({ body }, reply) => {
    if (!Value.Check(HolderQuestion, body)) return invalidAtXendit(reply, HolderQuestion, body);
    const { bank_account_number, bank_code } = body;
    if (!/^[A-Z0-9_]+$/.test(bank_code))
      return refuseAsXendit(reply, 400, 'BANK_CODE_NOT_SUPPORTED_ERROR', 'There is no such bank');
    const holder = await holderOfAccount(records, bank_account_number);
    const isNone = bank_account_number.startsWith('0000');
    if (!isNone && !holder?.name)
      return refuseAsXendit(reply, 400, 'BANK_NOT_SUPPORTED_ERROR', 'The bank tells no names');
    const shown = { id: bank_account_number, bank_account_number, bank_code };
    const at = clock.now().toISOString();
    if (isNone) return { ...shown, status: 'FAILURE', created: at, updated: at };
    const found = { bank_account_holder_name: holder?.name, status: 'SUCCESS' };
    return { ...shown, ...found, created: at, updated: at };
  });
}

const missing = (reply: FastifyReply) =>
  refuseAsXendit(reply, 404, 'INVOICE_NOT_FOUND_ERROR', 'There is no such invoice');
