/** What a host responds without the store of an instance. */
import type { HttpService } from "../http/create-http-service.ts";
import type { RawRequest } from "../http/request.ts";
import type { CompleteResponse } from "../http/response.ts";
import type { ObservedInstance } from "../operate/service-observers.ts";
import type { ClosedInstances } from "./closed-instances.ts";
import type { Instance } from "../configuration/instance.ts";
import type { HostDependencies } from "./host-dependencies.ts";
import { createInstanceFront } from "./instance-front.ts";
import { createRefusingService, HOST_ERRORS, type HostError } from "./refuse-request.ts";

export type HostResponses = ReturnType<typeof createHostResponses>;

export function createHostResponses(host: HostDependencies, closed: ClosedInstances) {
  const { listed, observers } = host;
  /** An instance is another object after each change, and so are its services. */
  const fronts = new WeakMap<Instance, HttpService>();
  const refusing = new WeakMap<Instance, Map<HostError, HttpService>>();

  const createUnknownHost = (baseUrl: string) =>
    createRefusingService(
      HOST_ERRORS.unknownHost,
      { ...host.unknownHost, baseUrl },
      host.log(null),
      observers?.requests("sync"),
    );
  const plainUnknownHost = createUnknownHost(host.unknownHost.baseUrl);
  const httpsUnknownHost = createUnknownHost("https://unknown.invalid");
  /** The service for requests of no instance, with the headers of https where the instances have it. */
  const unknownHost = () => (listed.hasHttps() ? httpsUnknownHost : plainUnknownHost);

  function observe(
    name: string,
    meter: ObservedInstance["meter"] | undefined = observers?.sync(name),
  ) {
    return meter && observers?.requests("sync", { name, meter });
  }

  function createRefusing({ name, sync }: Instance, hostError: HostError): HttpService {
    // Nothing has failed when an operator has suspended the instance.
    const isIntended = hostError === HOST_ERRORS.suspended;
    const observer = isIntended ? observe(name, NOT_COUNTED) : observe(name);
    return createRefusingService(hostError, sync, host.log(name), observer);
  }

  return {
    unknownHost,
    /** The service of an instance for requests that need nothing of its store. */
    frontOf(instance: Instance): HttpService {
      const front =
        fronts.get(instance) ?? createInstanceFront(instance, host, closed, observe(instance.name));
      fronts.set(instance, front);
      return front;
    },
    refuse(
      name: string,
      hostError: HostError,
      request: RawRequest,
    ): CompleteResponse | Promise<CompleteResponse> {
      const instance = listed.find(name);
      // The instance may have been removed meanwhile.
      if (instance === null) return unknownHost().respond(request);
      const services = refusing.get(instance) ?? new Map<HostError, HttpService>();
      const service = services.get(hostError) ?? createRefusing(instance, hostError);
      refusing.set(instance, services.set(hostError, service));
      return service.respond(request);
    },
  };
}

const NOT_COUNTED = { responded() {} };
