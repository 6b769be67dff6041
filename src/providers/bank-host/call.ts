import { Type } from 'typebox';
import { Value } from 'typebox/value';
import {
  callHttp,
  done,
  type HttpCall,
  type HttpReply,
  type Outcome,
  refused,
  unknown,
} from '../../kernel/provider-call.ts';

interface Door {
  url(): string;
  readonly key: string;
}

type Call = Pick<HttpCall, 'name' | 'method' | 'headers' | 'body' | 'timeoutMs'> & {
  readonly path: string;
};

/** A good answer as it came, a refusal of the request itself, or not known. */
export type HostCall = (call: Call) => Promise<Outcome<HttpReply>>;

/** RFC 9457; the last word of its type says what is wrong. */
const Problem = Type.Object({
  type: Type.String({ maxLength: 300 }),
  title: Type.Optional(Type.String({ maxLength: 300 })),
});

/** These judge the caller or the moment, not the request, which may have been executed. */
const UNDECIDED = [401, 403, 405, 408, 421, 425, 429];
const CODE_MAX = 60;
const MESSAGE_MAX = 200;

export const hostCaller =
  ({ url, key }: Door): HostCall =>
  async ({ path, name, headers, ...call }) => {
    const reply = await callHttp({
      ...call,
      name: `bank-host ${name}`,
      url: `${url()}${path}`,
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/xml, application/json',
        ...headers,
      },
    });
    if ('lost' in reply) return unknown(reply.lost);
    const { status, json } = reply;
    if (status >= 200 && status < 300) return done(reply);
    if (status < 400 || status >= 500 || UNDECIDED.includes(status))
      return unknown(`answered ${status}`);
    const { type, title } = Value.Check(Problem, json) ? json : { type: '', title: undefined };
    const code = type.split('/').at(-1) || `HTTP_${status}`;
    return refused(
      code.slice(0, CODE_MAX),
      (title ?? 'The bank refused it').slice(0, MESSAGE_MAX),
      status,
    );
  };
