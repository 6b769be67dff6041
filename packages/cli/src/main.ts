#!/usr/bin/env node
import { run } from './run.ts';

const end = new AbortController();
process.once('SIGINT', () => end.abort());
process.once('SIGTERM', () => end.abort());
// The reader of the output may have enough of it before its end.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
});

process.exitCode = await run(process.argv.slice(2), end.signal);
