import { Buffer } from 'node:buffer';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Config } from '#kernel/config/config.ts';
import { sameSecret } from '#kernel/secrets/token.ts';
import { InvoiceRequest, WirePayoutRequest } from '#providers/gateway/xendit-wire.ts';
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
  callBackOfInvoice,
  ensureInvoice,
  expireInvoice,
  invoiceById,
  invoiceOf,
  shownInvoice,
} from './simulated-invoices.ts';
import { ensurePayout, simulatedGatewayPayoutOf } from './simulated-payouts.ts';
import { gatewayStatementPage, type StatementQuery } from './simulated-statement.ts';

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
          return refuse(reply, 401, 'INVALID_API_KEY', 'The API key is not valid');
      });
      invoiceEndpoints(server, world);
      payoutEndpoints(server, world);
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
    if (!Value.Check(InvoiceRequest, body)) return invalid(reply, InvoiceRequest, body);
    const invoice = await ensureInvoice(world, body);
    return invoice ? shownInvoice(world, invoice) : duplicate(reply);
  });

  server.get('/v2/invoices', async ({ query }, reply) => {
    const Asked = Type.Object({ external_id: Type.String({ minLength: 1, maxLength: 255 }) });
    if (!Value.Check(Asked, query)) return invalid(reply, Asked, query);
    const invoice = await invoiceOf(world, query.external_id);
    return invoice ? [shownInvoice(world, invoice)] : [];
  });

  server.get<ById>('/v2/invoices/:id', async ({ params }, reply) => {
    const invoice = await invoiceById(world, params.id);
    return invoice ? shownInvoice(world, invoice) : missing(reply);
  });

  server.post<ById>('/invoices/:id/expire!', async ({ params }, reply) => {
    const invoice = await invoiceById(world, params.id);
    if (invoice === undefined) return missing(reply);
    const expired = await expireInvoice(world, invoice.external_id);
    if (expired === undefined)
      return refuse(reply, 400, 'INVALID_STATUS_ERROR', `The invoice is ${invoice.status}`);
    void callBackOfInvoice(world, expired);
    return shownInvoice(world, expired);
  });
}

function payoutEndpoints(server: FastifyInstance, world: GatewayWorld): void {
  server.post('/v2/payouts', async ({ body, headers }, reply) => {
    if (!headers['idempotency-key'])
      return refuse(reply, 400, 'API_VALIDATION_ERROR', 'Idempotency-key is required');
    if (!Value.Check(WirePayoutRequest, body)) return invalid(reply, WirePayoutRequest, body);
    if (!/^ID_[A-Z0-9_]+$/.test(body.channel_code))
      return refuse(reply, 400, 'CHANNEL_CODE_NOT_SUPPORTED_ERROR', 'There is no such channel');
    if (!/^\d{5,20}$/.test(body.channel_properties.account_number))
      return refuse(reply, 400, 'RECIPIENT_ACCOUNT_NUMBER_ERROR', 'Not an account number');
    return (await ensurePayout(world, body)) ?? duplicate(reply);
  });

  server.get('/v2/payouts', async ({ query }, reply) => {
    const Asked = Type.Object({ reference_id: Type.String({ minLength: 1, maxLength: 255 }) });
    if (!Value.Check(Asked, query)) return invalid(reply, Asked, query);
    const payout = await simulatedGatewayPayoutOf(world, query.reference_id);
    return payout ? [payout] : [];
  });
}

function accountEndpoints(server: FastifyInstance, world: World): void {
  server.get('/balance', async () => ({ balance: await simulatedGatewayBalanceOf(world.records) }));
  server.get<{ Querystring: StatementQuery }>('/transactions', async ({ query }) =>
    gatewayStatementPage(world, query),
  );
}

const HolderQuestion = Type.Object({
  bank_account_number: Type.String({ minLength: 1, maxLength: 100 }),
  bank_code: Type.String({ minLength: 1, maxLength: 100 }),
});

/** The bank of an account without a set holder tells no names; accounts that begin with four zeros do not exist. */
function holderEndpoint(server: FastifyInstance, { records, clock }: World): void {
  server.post('/bank_account_data_requests', async ({ body }, reply) => {
    if (!Value.Check(HolderQuestion, body)) return invalid(reply, HolderQuestion, body);
    const { bank_account_number, bank_code } = body;
    if (!/^[A-Z0-9_]+$/.test(bank_code))
      return refuse(reply, 400, 'BANK_CODE_NOT_SUPPORTED_ERROR', 'There is no such bank');
    const holder = await holderOfAccount(records, bank_account_number);
    const isNone = bank_account_number.startsWith('0000');
    if (!isNone && !holder?.name)
      return refuse(reply, 400, 'BANK_NOT_SUPPORTED_ERROR', 'The bank tells no names');
    const shown = { id: bank_account_number, bank_account_number, bank_code };
    const at = clock.now().toISOString();
    if (isNone) return { ...shown, status: 'FAILURE', created: at, updated: at };
    const found = { bank_account_holder_name: holder?.name, status: 'SUCCESS' };
    return { ...shown, ...found, created: at, updated: at };
  });
}

const refuse = (reply: FastifyReply, status: number, error_code: string, message: string) =>
  reply.code(status).send({ error_code, message });
const missing = (reply: FastifyReply) =>
  refuse(reply, 404, 'INVOICE_NOT_FOUND_ERROR', 'There is no such invoice');
const duplicate = (reply: FastifyReply) =>
  refuse(reply, 409, 'DUPLICATE_ERROR', 'Another request had this reference');

function invalid(reply: FastifyReply, schema: TSchema, given: unknown) {
  const [first] = Value.Errors(schema, given);
  const fault = `${first?.instancePath || 'The request'} ${first?.message ?? 'is invalid'}`;
  return refuse(reply, 400, 'API_VALIDATION_ERROR', fault);
}
