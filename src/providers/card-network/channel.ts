import { readFileSync } from 'node:fs';
import { Agent, request } from 'undici';
import { inSpan, outgoingTrace } from '#kernel/trace.ts';
import type { callHttp, HttpCall } from '../provider.ts';

export type Send = typeof callHttp;

export interface Certificate {
  /** PEM files. */
  readonly certFile: string;
  readonly keyFile: string;
  /** Whom to trust instead of the machine's authorities. */
  readonly caFile?: string;
}

const TIMEOUT_MS = 10_000;
const ANSWER_MAX = 1024 * 1024;

/** `callHttp` over connections that show our certificate, without which the real network hangs up. */
export function certified({ certFile, keyFile, caFile }: Certificate): Send {
  const dispatcher = new Agent({
    connect: {
      cert: readFileSync(certFile),
      key: readFileSync(keyFile),
      ...(caFile === undefined ? {} : { ca: readFileSync(caFile) }),
    },
    maxResponseSize: ANSWER_MAX,
  });
  return (call) => inSpan(`provider ${call.name}`, () => send(dispatcher, call));
}

async function send(dispatcher: Agent, call: HttpCall): ReturnType<Send> {
  const { method, url, headers, body, timeoutMs = TIMEOUT_MS } = call;
  try {
    const reply = await request(url, {
      dispatcher,
      method,
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'user-agent': 'archipay/1',
        ...outgoingTrace(),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'object' ? JSON.stringify(body) : body }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await reply.body.text();
    return { status: reply.statusCode, headers: reply.headers, text, json: parsed(text) };
  } catch (error) {
    return { lost: (error as { code?: string }).code ?? (error as Error).name };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
