//! Standard output and error through one pipe, so that their order is kept.

use std::io;
use std::os::fd::OwnedFd;

use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;
use tokio::process::Command;

use crate::group::Group;

#[cfg(target_os = "linux")]
const ROOM: usize = 1 << 20;

pub(super) struct Pipe(Receiver);

impl Pipe {
    /// Takes the command: as long as it is there its end of the pipe is open, and no end of file comes.
    pub(super) fn spawn(mut command: Command) -> io::Result<(Group, Self)> {
        let (reader, writer) = io::pipe()?;
        // Room for a flood: each time the pipe is full the subject waits for us.
        #[cfg(target_os = "linux")]
        let _ = rustix::pipe::fcntl_setpipe_size(&reader, ROOM);
        command.stdout(writer.try_clone()?).stderr(writer);
        let group = Group::spawn(command)?;
        Ok((group, Self(Receiver::from_owned_fd(OwnedFd::from(reader))?)))
    }

    /// `Ok(0)`: everybody closed it. Cancel safe.
    pub(super) async fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).await
    }
}
