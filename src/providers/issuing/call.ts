import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import {
  callHttp,
  done,
  type HttpCall,
  type Outcome,
  refused,
  unknown,
} from '../../kernel/provider-call.ts';

interface Door {
  url(): string;
  readonly appToken: string;
  readonly adminToken: string;
}

type Call = Pick<HttpCall, 'name' | 'method' | 'body'> & { readonly path: string };

/** An answer of the shape that is asked for, a refusal of the request itself, or not known. */
export type IssuingCall = <S extends TSchema>(schema: S, call: Call) => Promise<Outcome<Static<S>>>;

const Refusal = Type.Object({
  error_code: Type.String({ maxLength: 60 }),
  error_message: Type.Optional(Type.String({ maxLength: 1000 })),
});

/** These judge the caller or the moment, not the request, which may have been executed. */
const UNDECIDED = [401, 403, 405, 408, 421, 425, 429];
const MESSAGE_MAX = 200;

export const issuingCaller =
  ({ url, appToken, adminToken }: Door): IssuingCall =>
  async (schema, { path, name, ...call }) => {
    const credentials = Buffer.from(`${appToken}:${adminToken}`).toString('base64');
    const reply = await callHttp({
      ...call,
      name: `issuing ${name}`,
      url: `${url()}/v3${path}`,
      headers: { authorization: `Basic ${credentials}`, accept: 'application/json' },
    });
    if ('lost' in reply) return unknown(reply.lost);
    const { status, json } = reply;
    if (status >= 200 && status < 300)
      return Value.Check(schema, json) ? done(json) : unknown('an answer of another shape');
    if (status < 400 || status >= 500 || UNDECIDED.includes(status))
      return unknown(`answered ${status}`);
    if (!Value.Check(Refusal, json)) return refused(`HTTP_${status}`, 'It was refused', status);
    const message = json.error_message ?? 'The processor refused it';
    return refused(json.error_code, message.slice(0, MESSAGE_MAX), status);
  };
