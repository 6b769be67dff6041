import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { storable } from '#kernel/http/declare/wire.ts';
import type { Simulator, World } from '#sandbox/simulator.ts';
import { inboxControls, receive } from './inbox.ts';

export interface MailSink extends Simulator {
  /** `smtp://127.0.0.1:3025`; where it is in another process, going by its port. */
  url(): string;
}

const SIZE_MAX = 1024 * 1024;
const CLOSE_MS = 500;
/** Of every account there. */
const PASSWORD = 'sandbox-smtp';
/** Addresses there are no mailboxes for. */
const BOUNCING = /@bounce\.example$/i;

/** A mail server that takes everything and delivers nothing. Port 0 takes any free one. */
export function mailSink({ host, port }: { host: string; port: number }): MailSink {
  const local = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  let listening = port;
  return {
    provider: 'email',
    prefix: '/email',
    controls: inboxControls,
    url: () => `smtp://${local}:${listening}/?ignoreTLS=true`,
    async start(world) {
      const sockets = new Map<number, Socket>();
      const server = createServer(world, sockets);
      server.server.prependListener('connection', (socket: Socket) => {
        const { remotePort = 0 } = socket;
        sockets.set(remotePort, socket);
        socket.once('close', () => sockets.delete(remotePort));
        if (world.faults.take('email', 'refuse')) socket.destroy();
      });
      await listen(server, host, port);
      // Clients that vanish in mid-sentence are reported here, and are what `drop` is for.
      server.on('error', () => {});
      listening = (server.server.address() as AddressInfo).port;
      return () => new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Another process of ours may have the port; mail then goes to a sink of this one's own. */
async function listen(server: SMTPServer, host: string, port: number): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } catch (error) {
    if ((error as { code?: string }).code !== 'EADDRINUSE' || port === 0) throw error;
    await listen(server, host, 0);
  }
}

type Refusal = Error & { responseCode: number };
const refusal = (responseCode: number, message: string): Refusal =>
  Object.assign(new Error(message), { responseCode });

function createServer(world: World, sockets: ReadonlyMap<number, Socket>): SMTPServer {
  return new SMTPServer({
    // Its certificate has no authority, so our own address says not to use it; log-in is for those who try it.
    authOptional: true,
    allowInsecureAuth: true,
    onAuth({ username = '', password }, _session, answer) {
      if (password === PASSWORD) answer(null, { user: username });
      else answer(refusal(535, 'Authentication credentials invalid'));
    },
    disableReverseLookup: true,
    size: SIZE_MAX,
    closeTimeout: CLOSE_MS,
    logger: false,
    onRcptTo({ address }, _session, answer) {
      answer(BOUNCING.test(address) ? refusal(550, 'No such mailbox') : null);
    },
    onData(stream, session, answer) {
      take(world, stream, session).then(
        (fault) => {
          const socket = sockets.get(session.remotePort);
          if (fault === 'cut' && socket) socket.destroy();
          else answer(null);
        },
        (error) => answer(error instanceof Error ? error : new Error('Mail was not taken')),
      );
    },
  });
}

/** Of a mail; connections are refused before. */
const MAIL_FAULTS = [
  ...(['drop', 'error', 'commit-then-drop'] as const),
  ...(['throttle', 'maintenance', 'refuse-with'] as const),
] as const;

/** Keeps one mail per receiver; answers `cut` when a fault wants the connection to break. */
async function take(
  world: World,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
): Promise<'cut' | 'taken'> {
  const { faults } = world;
  const raw = await readAll(stream);
  // Settled before the wait, so that a mail without a waiting reader uses up nothing of a later one.
  const delay = faults.take('email', 'delay');
  const fault = faults.take('email', ...MAIL_FAULTS);
  if (delay) await wait(delay.ms, undefined, { ref: false });
  if (fault?.kind === 'drop') return 'cut';
  if (fault?.kind === 'error') throw refusal(451, 'Try again later');
  if (fault?.kind === 'throttle') throw refusal(450, '4.2.0 Greylisted, try again later');
  if (fault?.kind === 'maintenance') throw refusal(421, 'Service not available');
  if (fault?.kind === 'refuse-with')
    throw refusal(fault.status ?? 554, fault.code ?? '5.7.1 Refused by policy');
  if (stream.sizeExceeded) throw refusal(552, 'Message is too large');
  await keep(world, raw, session);
  return fault?.kind === 'commit-then-drop' ? 'cut' : 'taken';
}

async function keep(world: World, raw: Uint8Array, session: SMTPServerSession): Promise<void> {
  const { messageId, subject, text = '', html } = await PostalMime.parse(raw);
  const content = {
    text: text.trimEnd(),
    ...(subject === undefined ? {} : { subject }),
    ...(html === undefined ? {} : { html }),
  };
  if (!storable(content)) throw refusal(554, 'Text must be whole Unicode without NUL');
  for (const { address } of session.envelope.rcptTo)
    await receive(world, {
      channel: 'email',
      reference: messageId ?? session.id,
      to: address,
      ...content,
    });
}

async function readAll(stream: SMTPServerDataStream): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  // What is too large is still read to its end, as the protocol wants, but not kept.
  for await (const part of stream as AsyncIterable<Uint8Array>) {
    size += part.length;
    if (size <= SIZE_MAX) parts.push(part);
  }
  return Buffer.concat(parts);
}
