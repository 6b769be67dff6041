// Given to a service by --import: says on stderr which library it loads from its own folder, and when.
import { registerHooks } from 'node:module';

const seen = new Set();
registerHooks({
  load(url, context, next) {
    const [, library] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? [];
    if (library !== undefined && !seen.has(library)) {
      seen.add(library);
      process.stderr.write(`loads ${library}\n`);
    }
    return next(url, context);
  },
});
