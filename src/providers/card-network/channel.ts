import { readFileSync } from 'node:fs';
import { Agent } from 'undici';
import { callHttp } from '../../kernel/provider-call.ts';

export interface Certificate {
  /** PEM files. */
  readonly certFile: string;
  readonly keyFile: string;
  /** The authorities to trust instead of the machine's. */
  readonly caFile?: string;
}

/** `callHttp` over connections that show our certificate, without which the real network hangs up. */
export function certified({ certFile, keyFile, caFile }: Certificate): typeof callHttp {
  const dispatcher = new Agent({
    connect: {
      cert: readFileSync(certFile),
      key: readFileSync(keyFile),
      ...(caFile === undefined ? {} : { ca: readFileSync(caFile) }),
    },
  });
  return (call) => callHttp({ ...call, dispatcher });
}
