# The image of `trellis serve`. Built in two steps, so that the tools of the build are not in it.
FROM node:26-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# Nothing that is built here needs an install script of a dependency.
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.base.json trellis.config.schema.json LICENSE ./
COPY tsconfig tsconfig
COPY scripts scripts
COPY src src
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:26-slim
LABEL org.opencontainers.image.title="Trellis" \
      org.opencontainers.image.description="Signed releases, personal sync and event feeds" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /build/node_modules /opt/trellis/node_modules
COPY --from=build /build/dist /opt/trellis/dist
COPY --from=build /build/package.json /build/trellis.config.schema.json /build/LICENSE /opt/trellis/
# Everything that Trellis writes is under /data, so the root may be read-only.
RUN ln -s /opt/trellis/dist/trellis.js /usr/local/bin/trellis \
 && groupadd --gid 10001 trellis \
 && useradd --uid 10001 --gid trellis --home-dir /data --no-create-home trellis \
 && install --directory --owner=trellis --group=trellis --mode=0700 /data \
 && install --directory /etc/trellis
ENV NODE_ENV=production \
    TRELLIS_DATA_DIR=/data
USER trellis
# The configuration file is looked for here.
WORKDIR /etc/trellis
VOLUME /data
EXPOSE 4801 4802 4803 4811 4821
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4890/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["trellis"]
CMD ["serve", "--operator"]
