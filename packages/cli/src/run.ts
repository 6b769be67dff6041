import { parseArgs } from 'node:util';
import { ArchipayError } from '../../sdk/src/errors.ts';
import { type Command, EXIT, Failure, type Given, type Option, UsageError } from './command.ts';
import { COMMANDS } from './commands.ts';
import { Output } from './output.ts';
import { Session } from './session.ts';

const VERSION = '1.0.0';

const COMMON: Readonly<Record<string, Option>> = {
  profile: { type: 'string', value: 'NAME', help: 'which profile; ARCHIPAY_PROFILE' },
  url: { type: 'string', value: 'URL', help: 'where the service is; ARCHIPAY_URL' },
  'api-key': { type: 'string', value: 'KEY', help: 'instead of the kept one; ARCHIPAY_API_KEY' },
  token: { type: 'string', value: 'TOKEN', help: 'of a log-in; ARCHIPAY_TOKEN' },
  json: { type: 'boolean', help: 'JSON, a line for each row; ARCHIPAY_OUTPUT=json' },
  help: { type: 'boolean', help: 'this help' },
};

/** Runs the command of these words, and answers the exit code. */
export async function run(words: readonly string[], signal: AbortSignal): Promise<number> {
  const { env, stdout, stderr } = process;
  const [name = '', ...rest] = words;
  // Also where the words cannot be read.
  const json = words.includes('--json') || env['ARCHIPAY_OUTPUT'] === 'json';
  const output = new Output({ out: stdout, err: stderr, env, json });
  try {
    if (name === '--version' || name === 'version') return said(output, VERSION);
    if (name === '__complete') return completed(output, rest);
    if (['', 'help', '--help', '-h'].includes(name)) return helped(output, rest[0]);
    const command = COMMANDS.find((one) => one.name === name);
    if (!command) throw new UsageError(`There is no command ${name}`);
    const given = read(command, rest);
    if (given.has('help')) return said(output, helpOf(command, output));
    const flags = {
      profile: given.text('profile'),
      url: given.text('url'),
      apiKey: given.text('api-key'),
      token: given.text('token'),
    };
    return (await command.run(new Session({ env, output, signal, flags }), given)) ?? EXIT.ok;
  } catch (error) {
    if (signal.aborted) return EXIT.interrupted;
    return failed(output, error);
  }
}

function read(command: Command, words: readonly string[]): Given {
  const options = Object.fromEntries(
    Object.entries({ ...COMMON, ...command.options }).map(([name, { type }]) => [name, { type }]),
  );
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(String((error as Error).message).split('. To specify')[0]);
  }
  const { values, positionals } = parsed;
  return {
    words: positionals,
    text: (option) => (typeof values[option] === 'string' ? values[option] : undefined),
    has: (option) => values[option] === true,
  };
}

function failed(output: Output, error: unknown): number {
  const failure = failureOf(error);
  if (output.json) {
    output.failure(JSON.stringify(failure.fields));
    return failure.exit;
  }
  const { code, message, request_id, hint, doc_url, idempotency_key } = failure.fields;
  const id = request_id === undefined ? '' : ` (${request_id})`;
  output.failure(`${output.paint('red', code)} ${message}${id}`);
  if (hint !== undefined) output.failure(`  ${hint}`);
  if (doc_url !== undefined) output.failure(`  ${doc_url}`);
  if (failure.exit === EXIT.unknown && idempotency_key !== undefined) {
    output.failure(`  It may have been done. The same command with`);
    output.failure(`  --idempotency-key ${idempotency_key} finds out, and does nothing twice.`);
  }
  return failure.exit;
}

interface ShownFailure {
  readonly exit: number;
  readonly fields: {
    readonly code: string;
    readonly message: string;
    readonly hint?: string | undefined;
    readonly doc_url?: string | undefined;
    readonly request_id?: string | undefined;
    readonly outcome?: string | undefined;
    readonly idempotency_key?: string | undefined;
  };
}

function failureOf(error: unknown): ShownFailure {
  if (error instanceof UsageError) {
    const fields = { code: 'USAGE', message: error.message, hint: 'archipay help' };
    return { exit: EXIT.usage, fields };
  }
  if (error instanceof Failure) {
    const { code, message, hint, exit } = error;
    return { exit, fields: { code, message, hint } };
  }
  if (error instanceof ArchipayError) {
    const { code, message, hint, docUrl, requestId, outcome, idempotencyKey } = error;
    const exit =
      outcome === 'unknown'
        ? EXIT.unknown
        : error.status === 401
          ? EXIT.notSignedIn
          : error.status === 404
            ? EXIT.notFound
            : EXIT.failed;
    const more = { doc_url: docUrl, request_id: requestId, idempotency_key: idempotencyKey };
    const cure = error.status === 401 ? (hint ?? 'archipay login') : hint;
    return { exit, fields: { code, message, hint: cure, ...more, outcome } };
  }
  return { exit: EXIT.failed, fields: { code: 'FAILED', message: String(error) } };
}

/** For the shells: what may stand at the place of the last word, a line for each. */
function completed(output: Output, words: readonly string[]): number {
  const last = words.at(-1) ?? '';
  const command = words.length > 1 ? COMMANDS.find(({ name }) => name === words[0]) : undefined;
  const options = Object.keys({ ...command?.options, ...COMMON }).map((option) => `--${option}`);
  const found = last.startsWith('-')
    ? options
    : words.length > 1
      ? (command?.complete?.(words.slice(1).filter((word) => !word.startsWith('-'))) ?? [])
      : COMMANDS.map(({ name }) => name);
  for (const word of found) if (word.startsWith(last)) output.line(word);
  return EXIT.ok;
}

function said(output: Output, text: string): number {
  output.line(text);
  return EXIT.ok;
}

function helped(output: Output, name: string | undefined): number {
  const command = COMMANDS.find((one) => one.name === name);
  if (command) return said(output, helpOf(command, output));
  const width = Math.max(...COMMANDS.map((one) => one.name.length));
  const lines = COMMANDS.map((one) => `  ${one.name.padEnd(width)}  ${one.summary}`);
  const head = 'archipay <command> [arguments], archipay help <command>';
  return said(output, [output.paint('bold', head), '', ...lines].join('\n'));
}

function helpOf(command: Command, output: Output): string {
  const { name, usage = '', summary, options = {} } = command;
  const rows = Object.entries({ ...options, ...COMMON }).map(([option, { value, help }]) => [
    `--${option}${value === undefined ? '' : ` ${value}`}`,
    help,
  ]);
  const width = Math.max(...rows.map(([left = '']) => left.length));
  const lines = rows.map(([left = '', right]) => `  ${left.padEnd(width)}  ${right}`);
  return [output.paint('bold', `archipay ${name} ${usage}`.trimEnd()), summary, '', ...lines].join(
    '\n',
  );
}
