// Long: mail goes over a server's own socket.

import { createTransport } from 'nodemailer';
import { expect, test } from 'vitest';
import { mailSink } from '#sandbox/providers/messages/mail-sink.ts';
import { testSandbox } from '#test/sandbox.ts';

const sink = mailSink({ host: '127.0.0.1', port: 0 });
const sandbox = await testSandbox(sink);
const mail = (to: string) => ({
  from: 'a@archipay.example',
  to,
  subject: 'Hello',
  text: 'Welcome',
});

test('nodemailer sends a mail, and reads the code of a mailbox that does not exist', async () => {
  const transport = createTransport({ url: sink.url() });
  expect(await transport.sendMail(mail('ada@example.test'))).toMatchObject({
    accepted: ['ada@example.test'],
  });
  const { body } = await sandbox.control('GET /messages?to=ada@example.test');
  expect(body).toMatchObject([{ subject: 'Hello', text: 'Welcome' }]);
  await expect(transport.sendMail(mail('ada@bounce.example'))).rejects.toMatchObject({
    responseCode: 550,
  });
});

const { port } = new URL(sink.url());
const strict = (pass: string) =>
  createTransport({
    host: '127.0.0.1',
    port: Number(port),
    requireTLS: true,
    tls: { rejectUnauthorized: false },
    auth: { user: 'us', pass },
  });

test('nodemailer logs in over STARTTLS, and reads the code of a wrong password', async () => {
  expect(await strict('sandbox-smtp').sendMail(mail('tls@example.test'))).toMatchObject({
    accepted: ['tls@example.test'],
  });
  await expect(strict('other').sendMail(mail('tls@example.test'))).rejects.toMatchObject({
    code: 'EAUTH',
    responseCode: 535,
  });
});

test.each([
  [{ kind: 'throttle' }, 450],
  [{ kind: 'maintenance' }, 421],
  [{ kind: 'refuse-with', status: 554 }, 554],
])('nodemailer reads the code of %j', async (fault, responseCode) => {
  await sandbox.control('POST /faults', { provider: 'email', ...fault });
  const transport = createTransport({ url: sink.url() });
  await expect(transport.sendMail(mail('ada@example.test'))).rejects.toMatchObject({
    responseCode,
  });
});
