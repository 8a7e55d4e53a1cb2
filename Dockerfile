# The image of `trellis serve`. Built in two steps, so that the tools of the build are not in it.
# For a build that others can repeat, name the base by its digest: --build-arg BASE=node:26-slim@sha256:…
ARG BASE=node:26-slim
FROM $BASE AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# Nothing that is built here needs an install script of a dependency.
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.base.json trellis.config.schema.json LICENSE ./
COPY tsconfig tsconfig
COPY scripts scripts
COPY src src
COPY conformance conformance
COPY storage-contract storage-contract
COPY store-contract store-contract
COPY examples/demo examples/demo
COPY site site
# The image has no git: --build-arg REVISION=$(git rev-parse HEAD) names the commit.
ARG REVISION=
RUN TRELLIS_BUILD="$REVISION" npm run build
# The packages for traces are optional peers, and development needs them: here they must stay. TanStack DB is for
# apps. TypeBox is in the bundle, and a dependency only for its types.
RUN npm pkg delete devDependencies peerDependenciesMeta peerDependencies.@tanstack/db peerDependencies.react \
 && npm prune --ignore-scripts \
 && rm -rf node_modules/typebox \
 && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' \) -delete \
 && find node_modules -type d -empty -delete

FROM $BASE
# For the image of a release: --build-arg VERSION=… --build-arg REVISION=$(git rev-parse HEAD)
ARG VERSION=unreleased
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Trellis" \
      org.opencontainers.image.description="Signed releases, personal sync and event feeds" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"
COPY --from=build /build/node_modules /opt/trellis/node_modules
COPY --from=build /build/dist /opt/trellis/dist
COPY --from=build /build/package.json /build/trellis.config.schema.json /build/LICENSE /opt/trellis/
# Everything that Trellis writes is under /data and /backups, so the root may be read-only. A new named
# volume gets the owner of the folder that it is mounted on.
RUN ln -s /opt/trellis/dist/trellis.js /usr/local/bin/trellis \
 && groupadd --gid 10001 trellis \
 && useradd --uid 10001 --gid trellis --home-dir /data --no-create-home trellis \
 && install --directory --owner=trellis --group=trellis --mode=0700 /data /backups \
 && install --directory /etc/trellis
ENV NODE_ENV=production \
    TRELLIS_DATA_DIR=/data
# By number, so that a cluster can see that it is not root.
USER 10001:10001
# The configuration file is looked for here.
WORKDIR /etc/trellis
VOLUME /data
# Release, smart download, sync, events. The operator's listener is for the container itself.
EXPOSE 4801 4802 4811 4821
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s --retries=3 CMD ["trellis", "ready"]
ENTRYPOINT ["trellis"]
CMD ["serve", "--operator"]
