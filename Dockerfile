# The service, without what only builds and tests it. Runs everything in one process unless a command is given (Procfile).
FROM node:20-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY config config
COPY src src
COPY workers workers
RUN npm run build && rm -f dist/.tsbuildinfo && npm prune --omit=dev --no-audit --no-fund

FROM node:20-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PRECEDENT_DATA_DIR=/data
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json README.md LICENSE ./
USER node
VOLUME /data
EXPOSE 4400
STOPSIGNAL SIGTERM
CMD ["node", "--heap-growing-percent=50", "dist/workers/all.js"]
