import { writeFile } from 'node:fs/promises';
import { sign } from '../../../sdk/src/webhooks.ts';
import { GRADES, type Grade, gradeOf, type Result, tried } from '../certify/grade.ts';
import { Receiver } from '../certify/receiver.ts';
import { type Command, EXIT, UsageError } from '../command.ts';
import type { Output } from '../output.ts';
import { targetOf } from './listen.ts';

export const certify: Command = {
  name: 'certify',
  summary: 'Grades a receiver of webhooks by all that happens in real life',
  usage: '--endpoint URL --secret whsec_…',
  options: {
    endpoint: { type: 'string', value: 'URL', help: 'of the receiver' },
    secret: { type: 'string', value: 'whsec_…', help: 'that it knows; that of listen, without' },
    probe: {
      type: 'string',
      value: 'URL',
      help: 'answers {"count": n} to ?event=ID: how often it acted on it',
    },
    report: { type: 'string', value: 'FILE', help: 'writes the result with each delivery, signed' },
    min: { type: 'string', value: 'GRADE', help: 'the exit is 1 below it; A without' },
  },
  async run(session, given) {
    const { output } = session;
    const target = targetOf(given.text('endpoint'));
    if (!target) throw new UsageError('--endpoint is missing');
    const secret = given.text('secret') ?? (await session.standing()).webhookSecret;
    if (secret === undefined) throw new UsageError('--secret is missing');
    const min = (given.text('min') ?? 'A').toUpperCase() as Grade;
    if (!GRADES.includes(min)) throw new UsageError(`--min is ${GRADES.join(', ')}`);
    const probe = given.text('probe');
    if (probe === undefined) {
      output.note('Without --probe nothing tells how often it acts: duplicates count by answers.');
    }
    const receiver = new Receiver(target, secret, probe);
    const results = await tried(receiver, (result) => show(output, result));
    const grade = gradeOf(results);
    const passed = results.filter((one) => one.passed).length;
    const summary = { grade, passed, of: results.length, endpoint: target.href };
    if (output.json) output.line(JSON.stringify(summary));
    else output.line(output.paint('bold', `Grade ${grade}: ${passed} of ${results.length} trials`));
    const file = given.text('report');
    if (file !== undefined) await report(file, secret, { ...summary, results });
    return GRADES.indexOf(grade) <= GRADES.indexOf(min) ? EXIT.ok : EXIT.failed;
  },
};

function show(output: Output, result: Result): void {
  if (output.json) {
    output.line(JSON.stringify(result));
    return;
  }
  const mark = result.passed ? output.paint('green', 'pass') : output.paint('red', 'FAIL');
  const fault = result.fault === undefined ? '' : `: ${result.fault}`;
  output.line(`${mark} ${result.trial}: ${result.expected}${fault}`);
}

/** With the secret anybody can tell that the report is of this receiver and unchanged. */
async function report(file: string, secret: string, result: object): Promise<void> {
  const at = new Date();
  const body = JSON.stringify({ ...result, at: at.toISOString() });
  const headers = await sign(body, secret, { id: 'certificate', at });
  await writeFile(file, `${JSON.stringify({ headers, body })}\n`);
}
