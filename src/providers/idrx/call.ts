import type { Static, TSchema } from 'typebox';
import type { Clock } from '#kernel/clock.ts';
import { callHttp, type Outcome } from '../../kernel/provider-call.ts';
import { readReply } from '../gateway/read-reply.ts';
import { type SignatureForm, signatureOf } from './signature.ts';
import { idrxFailure } from './wire.ts';

export interface IdrxAccess {
  /** `https://api.idrx.co`, or `https://idrx.co/api`. */
  url(): string;
  readonly apiKey: string;
  /** In base64, as they issue it. */
  readonly secret: string;
  readonly form: SignatureForm;
  readonly clock: Clock;
  readonly timeoutMs?: number;
}

interface Call {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
}

/** One signed call, whose answer has that shape; every other answer is a refusal or unknown. */
export type IdrxCall = <S extends TSchema>(schema: S, call: Call) => Promise<Outcome<Static<S>>>;

/** Their edge refuses common clients, and wants a name. */
const USER_AGENT = 'archipay/1.0';

export function idrxCaller(access: IdrxAccess): IdrxCall {
  const { apiKey, secret, form, clock, timeoutMs } = access;
  return async (schema, { name, method, path, body }) => {
    const url = `${access.url()}${path}`;
    const text = body === undefined ? '' : JSON.stringify(body);
    const timestamp = String(clock.now().getTime());
    const signed = URL.canParse(url)
      ? signatureOf(form, secret, { method, url, body: text, timestamp })
      : '';
    const reply = await callHttp({
      name: `idrx ${name}`,
      method,
      url,
      headers: {
        'user-agent': USER_AGENT,
        'idrx-api-key': apiKey,
        'idrx-api-sig': signed,
        'idrx-api-ts': timestamp,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      // As text, because the signature is of these very bytes.
      ...(body === undefined ? {} : { body: text }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    return readReply(schema, reply, idrxFailure);
  };
}
