# The service without its build tools and tests. Runs everything in one process unless another command is given (Procfile).
# Node 26 is the active LTS release (until October 2027). Both stages need the same Debian, because of native modules.
FROM node:26-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY config config
COPY scripts scripts
COPY src src
COPY workers workers
RUN npm run build \
 && find dist -name '*.map' -delete && rm -rf dist/.tsbuildinfo dist/scripts \
 && chmod 755 dist/src/cli/precedent.js \
 && npm prune --omit=dev --no-audit --no-fund

FROM node:26-trixie-slim
ENV NODE_ENV=production HOST=0.0.0.0 PRECEDENT_DATA_DIR=/data
WORKDIR /app
# git mirrors connected repositories (docs/repositories.md)
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates git openssh-client \
 && rm -rf /var/lib/apt/lists/*
# a named volume that is mounted at /data gets this owner; without a mount the data ends with the container
RUN mkdir /data && chown node:node /data && ln -s /app/dist/src/cli/precedent.js /usr/local/bin/precedent
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json README.md LICENSE ./
USER node
EXPOSE 4400
STOPSIGNAL SIGTERM
# a worker without http answers at PRECEDENT_HEALTH_PORT
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "const { PRECEDENT_HEALTH_PORT, PORT } = process.env; fetch(`http://127.0.0.1:${PRECEDENT_HEALTH_PORT || PORT || 4400}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--heap-growing-percent=50", "dist/workers/all.js"]
