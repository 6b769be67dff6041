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
