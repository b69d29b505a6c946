//! The client that sends requests.

use std::time::Duration;

use ureq::Agent;
use ureq::config::ConfigBuilder;
use ureq::typestate::AgentScope;

/// The longest wait for an address, a connection, and more bytes.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The longest time of a request, however slowly the server sends.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(600);

/// The settings of a client that takes any status for an answer.
pub(super) fn config() -> ConfigBuilder<AgentScope> {
    Agent::config_builder()
        .user_agent(concat!("pgna/", env!("CARGO_PKG_VERSION")))
        .http_status_as_error(false)
        .timeout_resolve(Some(TIMEOUT))
        .timeout_connect(Some(TIMEOUT))
        .timeout_per_read(Some(TIMEOUT))
        .timeout_per_write(Some(TIMEOUT))
        .timeout_per_call(Some(REQUEST_TIMEOUT))
}
