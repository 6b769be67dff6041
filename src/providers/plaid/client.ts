import type { PlaidApi } from 'plaid';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { machineMs } from '#kernel/clock.ts';
import { noteWait } from '#kernel/retry-after.ts';
import { outgoingTrace } from '#kernel/trace.ts';
import {
  done,
  measured,
  NOT_CONFIGURED,
  type Outcome,
  refused,
  unknown,
} from '../../kernel/provider-call.ts';
import { meaningOf } from '../code-table.ts';
import { PLAID_ERROR_TYPES } from './plaid-codes.ts';
import { PlaidWireError } from './wire.ts';

export interface PlaidSettings {
  /** `https://production.plaid.com`, or `https://sandbox.plaid.com`. */
  url(): string;
  readonly clientId: string;
  readonly secret: string;
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 8000;
const BODY_MAX = 2 * 1024 * 1024;

interface Answered {
  readonly status: number;
  readonly data: unknown;
  readonly headers?: object;
}

/** The call of one endpoint: a method of the library, with the options that limit it. */
type Method = (api: PlaidApi, options: object) => Promise<Answered>;

/** Calls an endpoint and parses its answer by that schema. */
export type PlaidCall = <S extends TSchema>(
  name: string,
  schema: S,
  method: Method,
) => Promise<Outcome<Static<S>>>;

/**
 * The `plaid` library, loaded at the first call: it is large, and most processes never need it. Of its errors
 * only the code is kept, because they hold the whole request, including credentials.
 */
export function plaidClient(settings: PlaidSettings): PlaidCall {
  let loaded: { readonly url: string; readonly api: Promise<PlaidApi> } | undefined;
  const apiAt = (url: string): Promise<PlaidApi> => {
    if (loaded?.url !== url) loaded = { url, api: load(settings, url) };
    return loaded.api;
  };
  return (name, schema, method) =>
    measured(`plaid ${name}`, async () => {
      const { timeoutMs = TIMEOUT_MS } = settings;
      const url = settings.url();
      // The library would call the real one.
      if (url === '') return unknown(NOT_CONFIGURED);
      try {
        const api = await apiAt(url);
        const bounds = { signal: AbortSignal.timeout(timeoutMs), headers: outgoingTrace() };
        return read(schema, await method(api, bounds));
      } catch (error) {
        return unknown(causeOf(error));
      }
    });
}

async function load({ clientId, secret, timeoutMs }: PlaidSettings, url: string) {
  const { Configuration, PlaidApi } = await import('plaid');
  const baseOptions = {
    headers: { 'PLAID-CLIENT-ID': clientId, 'PLAID-SECRET': secret },
    timeout: timeoutMs ?? TIMEOUT_MS,
    maxContentLength: BODY_MAX,
    maxBodyLength: BODY_MAX,
    maxRedirects: 0,
    // Only the configured address: no proxy from the environment.
    proxy: false,
    // Every status is an answer; this code interprets it.
    validateStatus: () => true,
  };
  return new PlaidApi(new Configuration({ basePath: url, baseOptions }));
}

/** An error that proves that nothing was done is a refusal; after any other the call may have happened. */
function read<S extends TSchema>(
  schema: S,
  { status, data, headers = {} }: Answered,
): Outcome<Static<S>> {
  if (status >= 400) noteWait(headers, machineMs());
  if (status >= 200 && status < 300)
    return Value.Check(schema, data) ? done(data) : unknown('an answer of another shape');
  if (status < 400 || status >= 500 || status === 429) return unknown(`status ${status}`);
  if (!Value.Check(PlaidWireError, data)) return unknown(`status ${status} without a reason`);
  const { error_type, error_code, error_message } = data;
  if (meaningOf(PLAID_ERROR_TYPES, error_type) === 'wait') return unknown(error_code);
  return refused(error_code, error_message, status);
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'an error';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
